import { RootwardError } from '../errors.ts';
import type { AccessRequest } from '../policy/decide.ts';
import type { Location } from '../workspace/workspace.ts';
import type { ToolCall } from './tool.ts';

/**
 * Gets access for a tool. A boundary speaks of paths relative to its root; whoever asked gets to hear the
 * path as it was asked.
 */
export async function reach<Result>(
  call: ToolCall,
  request: AccessRequest,
  act: (location: Location) => Result | Promise<Result>,
): Promise<Result> {
  const place: { relative?: string } = {};
  try {
    return await call.access(request, (location) => {
      place.relative = location.relative;
      return act(location);
    });
  } catch (error) {
    throw asAsked(error, request.path, place.relative);
  }
}

function asAsked(error: unknown, path: string, relative: string | undefined): unknown {
  if (!RootwardError.is(error) || !('path' in error.data) || error.data.path !== relative) return error;
  return new RootwardError(error.code, { ...error.data, path }, { cause: error });
}
