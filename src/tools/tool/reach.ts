import { type Attempt, type ErrorCode, RootwardError } from '../../errors.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import type { Location } from '../../workspace/workspace.ts';
import { expandHome } from '../../path/home.ts';
import type { ToolCall } from './tool.ts';

/** What a tool wants to reach. */
export interface ReachRequest extends AccessRequest {
  /** What to do next after a refusal, where the tool knows better than the code. */
  readonly remedies?: { readonly [Code in ErrorCode]?: string };
}

/** For tools that put a file where its directory may be missing. */
export const missingDirectory = {
  NOT_FOUND: 'Make the directory that it belongs to first, with create_directory',
} as const;

/**
 * Gets access for a tool. A boundary speaks of paths relative to its root; whoever asked gets to hear the
 * path as it was asked.
 */
export async function reach<Result>(
  call: ToolCall,
  request: ReachRequest,
  act: (location: Location) => Result | Promise<Result>,
): Promise<Result> {
  const { remedies: _remedies, ...wish } = request;
  const path = expandHome(request.path);
  const place: { relative?: string } = {};
  try {
    return await call.access({ ...wish, path }, (location) => {
      place.relative = location.relative;
      return act(location);
    });
  } catch (error) {
    throw asAsked(error, request, [path, place.relative]);
  }
}

function asAsked(error: unknown, request: ReachRequest, spellings: readonly (string | undefined)[]): unknown {
  if (!RootwardError.is(error) || !('path' in error.data) || !spellings.includes(error.data.path))
    return error;
  const remedy = request.remedies?.[error.code];
  const isSaid = error.data.path === request.path && remedy === undefined;
  if (isSaid) return error;
  const more: Pick<Attempt, 'remedy'> = remedy === undefined ? {} : { remedy };
  return new RootwardError(error.code, { ...error.data, ...more, path: request.path }, { cause: error });
}
