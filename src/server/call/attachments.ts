import { type Attachment, type AttachmentParts, createAttachment } from './attachment.ts';
import { fieldsOf } from '../sdk/call-context.ts';
import type { TransportObserver } from '../sdk/observe-transport.ts';
import type { WireTransport } from '../sdk/protocol-server.ts';
import type { Trace } from '../settings/trace-event.ts';

/** The connections of one server: one at a time, where the SDK keeps to its rules. */
export interface Attachments {
  /** What watches a transport that is about to be connected. */
  open(transport: WireTransport): TransportObserver;
  /** The connection of a session, else the last one that was opened; one that never connects where there is none. */
  find(sessionId: string | undefined): Attachment;
  close(): void;
}

export interface AttachmentsParts extends Omit<AttachmentParts, 'transport'> {
  /** The client is there, or its roots changed: now could be asked. */
  readonly stirred: (attachment: Attachment) => void;
}

export function createAttachments({ stirred, ...parts }: AttachmentsParts): Attachments {
  const none = createAttachment({ ...parts, transport: {} });
  const attachments: Attachment[] = [];
  let closed = false;
  const { trace } = parts.settings;
  return {
    open(transport) {
      const attachment = createAttachment({ ...parts, transport });
      attachments.push(attachment);
      trace({ kind: 'opened', overHttp: attachment.connection.overHttp }, attachment.connection);
      const notice = createNotice(attachment, { stirred, trace });
      return {
        message(message) {
          const { method } = fieldsOf(message);
          // Nearly all that arrives is one of these, or an answer.
          if (method !== 'tools/call' && method !== undefined && !closed) notice(message);
        },
        close() {
          const index = attachments.indexOf(attachment);
          if (index >= 0) attachments.splice(index, 1);
          attachment.close();
          if (!closed) trace({ kind: 'closed' }, attachment.connection);
        },
      };
    },
    find: (sessionId) =>
      (sessionId === undefined
        ? undefined
        : attachments.find(({ connection }) => connection.sessionId === sessionId)) ??
      attachments.at(-1) ??
      none,
    close() {
      closed = true;
      for (const attachment of [none, ...attachments]) attachment.close();
      attachments.length = 0;
    },
  };
}

interface Listeners {
  readonly stirred: (attachment: Attachment) => void;
  readonly trace: Trace;
}

/** Reads along. Everything that is waited for here is only kept, and never keeps a message waiting. */
function createNotice(attachment: Attachment, { stirred, trace }: Listeners): (message: unknown) => void {
  const { connection } = attachment;
  return (message) => {
    const { method, params } = fieldsOf(message);
    if (method === 'initialize') keepQuietly(connection.memory.keepInitialize(params));
    if (method === 'notifications/initialized') {
      const roots = connection.capabilities()['roots'] !== undefined;
      trace({ kind: 'initialized', client: connection.client()?.name, roots }, connection);
      stirred(attachment);
    }
    // A 2026 client has no such notification: whoever sends it there means nothing by it.
    if (method !== 'notifications/roots/list_changed' || connection.modern) return;
    trace({ kind: 'changed' }, connection);
    connection.invalidate();
    stirred(attachment);
  };
}

/** Nobody is there to be told that it failed; without it a client counts as one that cannot be asked. */
function keepQuietly(kept: void | Promise<void>): void {
  kept?.catch(() => undefined);
}
