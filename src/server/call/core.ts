import { type CallContext, markIn, requestIn } from '../sdk/call-context.ts';
import { type AttachableServer, lowServerOf } from '../sdk/protocol-server.ts';
import { createOutputSchemas, type OutputSchemas } from '../sdk/tool-listing.ts';
import type { AttachOptions } from '../settings/attach-options.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { type Attachment, type OpenAttachments, createAttachments } from './attachments.ts';
import { type Call, RunningCalls } from './call.ts';
import { type RootsChanges, createChanges, createFollow } from './changes.ts';
import type { CallScope } from './composition-for.ts';

/** What everything in an attached server shares. */
export interface AttachedCore {
  readonly settings: Settings;
  readonly attachments: OpenAttachments;
  readonly changes: RootsChanges;
  readonly outputSchemas: OutputSchemas;
  readonly calls: RunningCalls;
  callOf(context: CallContext | undefined): Call | undefined;
  place(call?: Call): CallScope;
  closed(): boolean;
  close(): void;
}

export function createCore(server: AttachableServer, options: AttachOptions): AttachedCore {
  const settings = readSettings(options);
  const changes = createChanges();
  const follow = createFollow(settings);
  const calls = new RunningCalls();
  let closed = false;
  const attachments = createAttachments({
    server: lowServerOf(server),
    settings,
    memoryOf: options.memory,
    answered(attachment) {
      traceAnswer(settings, attachment);
      changes.check(attachment);
      // Such a client is asked by calls alone.
      if (attachment.connection.modern) follow.stirred(attachment);
    },
    stirred: follow.stirred,
  });
  return {
    settings,
    attachments,
    changes,
    outputSchemas: createOutputSchemas(server),
    calls,
    callOf(context) {
      const mark = markIn(requestIn(context));
      return mark && calls.find(mark);
    },
    place: (call) => ({ attachment: call?.attachment ?? attachments.find(undefined), settings }),
    closed: () => closed,
    close() {
      closed = true;
      follow.close();
      changes.close();
      attachments.close();
    },
  };
}

function traceAnswer({ trace }: Settings, { connection }: Attachment): void {
  const { answer } = connection.memory.current();
  const roots = answer.state === 'listed' ? answer.roots.length : 0;
  const reason = 'reason' in answer && { reason: answer.reason };
  trace({ kind: 'answered', state: answer.state, roots, ...reason }, connection);
}
