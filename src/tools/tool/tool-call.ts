import { join } from 'node:path';
import { fieldsOf } from '../../base/fields.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { type Attempt, type ErrorCode, RootwardError } from '../../errors.ts';
import { expandHome } from '../../path/home.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import { type CallContext, readContext } from '../../server/sdk/call-context.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import type { Location } from '../../workspace/workspace.ts';
import type { WatchedCall } from './stall-watch.ts';
import type { ToolCall } from './tool.ts';

/** The parts of an attached server that tools need. */
export type ToolWorkspace = Pick<Rootward, 'workspace' | 'access' | 'check'>;

/** Creates a call from the context that either SDK passes to a handler. Each access can be ended, and is recorded. */
export function createToolCall(
  rootward: ToolWorkspace,
  context: CallContext,
  watched: Pick<WatchedCall, 'run'>,
): ToolCall {
  return {
    workspace: () => rootward.workspace(context),
    access: (request, act) =>
      rootward.access(context, request, (location) => watched.run(() => act(location))),
    check: (request) => rootward.check(context, request),
    signal: readContext(context).signal ?? new AbortController().signal,
    progress: reporter(context),
  };
}

/** Sends progress notifications for the request that asked for them. Errors are ignored. */
function reporter(context: CallContext): ToolCall['progress'] {
  const outer = fieldsOf(context);
  const request = outer['mcpReq'] === undefined ? outer : fieldsOf(outer['mcpReq']);
  const { progressToken } = fieldsOf(request['_meta']);
  const notify = request['notify'] ?? request['sendNotification'];
  if (progressToken === undefined || typeof notify !== 'function') return () => undefined;
  return (progress, total, message) => {
    const params = {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    const sent: unknown = Reflect.apply(notify, request, [{ method: 'notifications/progress', params }]);
    void Promise.resolve(sent).catch(() => undefined);
  };
}

/** The access that a tool needs. */
export interface ReachRequest extends AccessRequest {
  /** Advice after a refusal, if the tool knows better than the error code. */
  readonly remedies?: { readonly [Code in ErrorCode]?: string };
}

/** For tools that write a file whose directory may be missing. */
export const missingDirectory = {
  NOT_FOUND: 'Make the directory that it belongs to first, with create_directory',
} as const;

/**
 * Gets access for a tool. Errors of a boundary contain paths relative to its root; here they are replaced by the path
 * as
 * given.
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

/** The start directory of a search. */
export interface SearchStart {
  readonly boundary: Boundary;
  /** Real names from the root; `.` for the root itself. */
  readonly relative: string;
  /** Absolute path for display. */
  readonly absolute: string;
  /** Returns the path of an entry relative to the start; `undefined` if it is not inside. */
  readonly below: (path: string) => string | undefined;
  /** Converts a glob relative to the start to one relative to the root. */
  readonly under: (glob: string) => string;
}

/** Resolves the start of a search: links in the path are followed now, so that results have real names. */
export async function startAt({ boundary, relative, root }: Location): Promise<SearchStart> {
  const { relative: real, kind } = await boundary.probe('list', relative);
  const attempt = { verb: 'search', path: relative };
  if (kind === undefined) throw new RootwardError('NOT_FOUND', attempt);
  if (kind !== 'directory') throw new RootwardError('NOT_A_DIRECTORY', attempt);
  const prefix = real === '' ? '' : `${real}/`;
  return {
    boundary,
    relative: real === '' ? '.' : real,
    absolute: join(root.path, real),
    below: (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : undefined),
    under: (glob) => (glob.startsWith('!') ? glob : `/${escapeGlob(prefix)}${glob.replace(/^\//, '')}`),
  };
}

/** Escapes a name for use in a glob. Globs cannot escape a backslash, so `?` stands for it. */
export function escapeGlob(name: string): string {
  return name
    .replaceAll('\\', '\0')
    .replaceAll(/[*?[\]{}]/g, '\\$&')
    .replaceAll('(', '[(]')
    .replaceAll('\0', '?');
}

/**
 * Returns the absolute path of a location, without links beneath the root. Permission for the operation includes
 * knowing
 * the path.
 */
export async function realPlaceOf(
  { boundary, relative, root }: Location,
  operation: Operation = 'list',
): Promise<string> {
  if (boundary.kind === 'file') return root.path;
  const { relative: real } = await boundary.probe(operation, relative);
  return join(root.path, real);
}

/** Reports progress, at a limited rate. */
export type ProgressTicker = (done: number, message: string) => void;

export function createTicker(
  call: Pick<ToolCall, 'progress'>,
  now: () => number = () => performance.now(),
): ProgressTicker {
  let next = now() + first;
  let last = -1;
  return (done, message) => {
    if (now() < next) return;
    next = now() + interval;
    // The protocol requires increasing values, even if another part of the work begins.
    last = Math.max(done, last + 1);
    call.progress(last, undefined, message);
  };
}

/** Milliseconds until the first report, and between two. */
const first = 50;
const interval = 250;
