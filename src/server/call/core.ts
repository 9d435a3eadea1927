import { warnOfDropped } from '../compose/usable-answer.ts';
import { type AttachableServer, lowServerOf } from '../sdk/protocol-server.ts';
import { createOutputSchemas, type OutputSchemas } from '../sdk/tool-listing.ts';
import type { Settings } from '../settings/settings.ts';
import { type Attachment, type OpenAttachments, createAttachments } from './attachments.ts';
import { RunningCalls } from './call.ts';
import type { TakenArguments } from './ignored-arguments.ts';
import { type RootsChanges, createChanges, createFollow } from './changes.ts';

/** The parts of an attached server that everything else shares. */
export interface AttachedCore {
  readonly settings: Settings;
  readonly attachments: OpenAttachments;
  readonly changes: RootsChanges;
  readonly outputSchemas: OutputSchemas;
  readonly calls: RunningCalls;
  /** By the name of the tool, once it was called. */
  readonly takenArguments: Map<string, TakenArguments>;
  readonly closed: boolean;
  close(): void;
}

export function createCore(server: AttachableServer, settings: Settings): AttachedCore {
  const changes = createChanges();
  const follow = createFollow(settings);
  const attachments = createAttachments({
    server: lowServerOf(server),
    settings,
    answered(attachment) {
      traceAnswer(settings, attachment);
      changes.check(attachment);
      // A 2026 client is asked within calls only.
      if (attachment.connection.modern) follow.rootsDue(attachment);
    },
    rootsDue: follow.rootsDue,
  });
  const core = {
    settings,
    attachments,
    changes,
    outputSchemas: createOutputSchemas(server),
    calls: new RunningCalls(),
    takenArguments: new Map<string, TakenArguments>(),
    closed: false,
    close() {
      core.closed = true;
      follow.close();
      changes.close();
      attachments.close();
    },
  };
  return core;
}

function traceAnswer({ trace }: Settings, { connection }: Attachment): void {
  const { answer } = connection.memory.current();
  const roots = answer.state === 'listed' ? answer.roots.length : 0;
  const reason = 'reason' in answer && { reason: answer.reason };
  trace({ kind: 'answered', state: answer.state, roots, ...reason }, connection);
  warnOfDropped(trace, answer, connection);
}
