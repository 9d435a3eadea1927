import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { fieldsOf } from '../../base/fields.ts';
import { type Attempt, RootwardError } from '../../errors.ts';
import { expandHome } from '../../path/home.ts';
import { QuestionPending } from '../../server/call/rounds.ts';
import { type CallContext, readContext } from '../../server/sdk/call-context.ts';
import { refusalResult } from '../../server/settings/refusal-result.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { type AnswerForm, fitsMessage, formAnswer, roomIn, usualForm } from './answer.ts';
import { limits } from './answer-limits.ts';
import type { StallWatch, WatchedCall } from './stall-watch.ts';
import type { ContentBlock, ReachRequest, Tool, ToolCall } from './tool.ts';

/** Runs a tool for one call. A refusal is a result that a model can read. */
export async function runTool(tool: Tool, input: unknown, parts: ToolRun): Promise<CallResult> {
  const { rootward, context, stalls, form = usualForm, report = writeToStderr } = parts;
  const watched = tool.isBrief ? unwatched : stalls.enter(tool.name);
  const call = createToolCall(rootward, context, { watched, room: roomIn(form) });
  try {
    const result = await watched.run(() => tool.run(input, call));
    if (!fitsMessage(result))
      throw new RootwardError('RESULT_TOO_LARGE', { tool: tool.name, limit: limits.message });
    return formAnswer(tool, input, { result, form });
  } catch (error) {
    if (RootwardError.is(error)) return refused(error);
    // A cancelled call gets no result. A pending question is sent to the client by the caller.
    if (call.signal.aborted || error instanceof QuestionPending) throw error;
    const id = randomUUID();
    report({ id, tool: tool.name, error });
    return {
      isError: true,
      content: [{ type: 'text', text: `Cannot run ${tool.name}: it failed inside (${id})` }],
    };
  } finally {
    watched.leave();
  }
}

export interface ToolRun {
  readonly rootward: ToolWorkspace;
  readonly context: CallContext;
  readonly stalls: StallWatch;
  /** As for a client that was not measured, by default. */
  readonly form?: AnswerForm;
  readonly report?: (failure: ToolFailure) => void;
}

/** Watching costs a thread, and each call a little: not for a tool that computes next to nothing. */
const unwatched: WatchedCall = {
  run: async (act) => act(),
  leave: () => undefined,
};

/** The parts of an attached server that tools need. */
export type ToolWorkspace = Pick<Rootward, 'workspace' | 'access' | 'check'>;

/** The result sent to the client. */
export interface CallResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** An unexpected error in a tool. */
export interface ToolFailure {
  /** Also sent to the client, to find the error. */
  readonly id: string;
  readonly tool: string;
  readonly error: unknown;
}

/** Creates a call from the context that either SDK passes to a handler. Each access can be ended, and is recorded. */
export function createToolCall(
  rootward: ToolWorkspace,
  context: CallContext,
  { watched, room }: CallLimits,
): ToolCall {
  const access: ToolCall['access'] = (request, act) =>
    rootward.access(context, request, (location) => watched.run(() => act(location)));
  return {
    workspace: () => rootward.workspace(context),
    access,
    reach: createReach(access),
    check: (request) => rootward.check(context, request),
    room,
    signal: readContext(context).signal ?? new AbortController().signal,
    progress: reporter(context),
  };
}

/** The limits of one call. */
export interface CallLimits extends Pick<ToolCall, 'room'> {
  readonly watched: Pick<WatchedCall, 'run'>;
}

/** Reaches what a tool asks for, by the access that a call has. */
export function createReach(access: ToolCall['access']): ToolCall['reach'] {
  return async (request, act) => {
    const { remedies: _remedies, ...wish } = request;
    const path = request.path.startsWith('~') ? expandHome(request.path) : request.path;
    let relative: string | undefined;
    try {
      return await access({ ...wish, path }, (location) => {
        ({ relative } = location);
        return act(location);
      });
    } catch (error) {
      throw asAsked(error, request, [path, relative]);
    }
  };
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

/** For tools that write a file whose directory may be missing. */
export const missingDirectory = {
  NOT_FOUND: 'Make the directory that it belongs to first, with create_directory',
} as const;

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

function writeToStderr({ id, tool, error }: ToolFailure): void {
  process.stderr.write(`${tool} failed (${id}): ${inspect(error)}\n`);
}

/** Some clients validate structured content even in errors, so the data of a refusal goes to `_meta`. */
function refused(error: RootwardError): CallResult {
  const { content, isError, _meta } = refusalResult(error, { hasOutputSchema: true });
  return { isError, content: [...content], _meta: { ..._meta } };
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
