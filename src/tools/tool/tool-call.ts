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

/** What tools need of an attached server. */
export type ToolWorkspace = Pick<Rootward, 'workspace' | 'access' | 'check'>;

/** One call, from the context that either SDK hands to a handler. Each of its acts can be ended, and is written down. */
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

/** Notifications belong to the request that asked for them. What cannot be sent is nobody's loss. */
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

/** A directory that a search begins in. */
export interface SearchStart {
  readonly boundary: Boundary;
  /** Real names from the root, `.` for the root itself. */
  readonly relative: string;
  /** As a person would write it. */
  readonly absolute: string;
  /** The way from the start to something that a walk found; `undefined` for what is not beneath it. */
  readonly below: (path: string) => string | undefined;
  /** A glob that is meant from the start on, as the root sees it. */
  readonly under: (glob: string) => string;
}

/**
 * Finds out where a search really begins: a link in the path is followed now, so that results carry real
 * names.
 */
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

/** A name in a glob that stands for itself. Globs have no backslash for names, so any character will do there. */
export function escapeGlob(name: string): string {
  return name
    .replaceAll('\\', '\0')
    .replaceAll(/[*?[\]{}]/g, '\\$&')
    .replaceAll('(', '[(]')
    .replaceAll('\0', '?');
}

/**
 * Where a location really is, as a person would write it: without links beneath the root. Whoever may do the
 * operation there may know.
 */
export async function realPlaceOf(
  { boundary, relative, root }: Location,
  operation: Operation = 'list',
): Promise<string> {
  if (boundary.kind === 'file') return root.path;
  const { relative: real } = await boundary.probe(operation, relative);
  return join(root.path, real);
}

/** Reports progress often enough for a person, and not oftener. */
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
    // The protocol wants more each time, also where work on something else begins.
    last = Math.max(done, last + 1);
    call.progress(last, undefined, message);
  };
}

/** Milliseconds until the first report, and between two. */
const first = 50;
const interval = 250;
