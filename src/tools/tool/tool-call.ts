import { type CallContext, fieldsOf, readContext } from '../../server/sdk/call-context.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
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
