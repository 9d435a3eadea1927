import type { AuditSink } from '../../audit/sink.ts';
import { fieldsOf, noFields } from '../../base/fields.ts';
import { profileOf, type ResolveOptions } from '../../workspace/chain/chain-context.ts';
import { allSources } from '../../workspace/sources/all-sources.ts';
import type { Profile } from '../../workspace/sources/profile.ts';
import {
  type CompositionCache,
  createCompositionCache,
  createFactsAtHand,
  type FactsAtHand,
} from '../compose/composition-cache.ts';
import { type ClientRoots, createClientRoots } from '../connection/client-roots.ts';
import { type ConnectionMemory, createMemory } from '../connection/connection-memory.ts';
import { type Connection, createConnection } from '../connection/connection.ts';
import { type RequestFacts } from '../sdk/call-context.ts';
import type { TransportObserver } from '../sdk/intercept-server.ts';
import type { LowServer, WireTransport } from '../sdk/protocol-server.ts';
import type { Settings } from '../settings/settings.ts';
import type { Trace } from '../settings/trace-event.ts';
import { recordGrantEnd } from './switch-records.ts';

/** The open connections of one server; one at a time, unless the author breaks the rules of the SDK. */
export interface OpenAttachments {
  /** Observes a transport that is about to be connected. */
  open(transport: WireTransport): TransportObserver;
  /** The connection of a session, otherwise the last one opened. Without any, a connection that never connects. */
  find(sessionId: string | undefined): Attachment;
  close(): void;
}

export interface AttachmentsParts extends Omit<AttachmentParts, 'transport'> {
  /** The client has initialized or changed its roots, so it can be asked now. */
  readonly rootsDue: (attachment: Attachment) => void;
}

export function createAttachments({ rootsDue, ...parts }: AttachmentsParts): OpenAttachments {
  let none: Attachment | undefined;
  const findNone = (): Attachment => {
    none ??= createAttachment({ ...parts, transport: {} });
    if (closed) none.close();
    return none;
  };
  const attachments: Attachment[] = [];
  let closed = false;
  const { trace } = parts.settings;
  return {
    open(transport) {
      const attachment = createAttachment({ ...parts, transport });
      attachments.push(attachment);
      trace({ kind: 'opened', overHttp: attachment.connection.overHttp }, attachment.connection);
      const notice = createNotice(attachment, { rootsDue, trace });
      return {
        message(message) {
          const { method } = fieldsOf(message);
          // Skips the two most frequent kinds of messages: tool calls and responses.
          if (method !== 'tools/call' && method !== undefined && !closed) notice(message);
        },
        close() {
          const index = attachments.indexOf(attachment);
          if (index >= 0) attachments.splice(index, 1);
          const { connection } = attachment;
          // Over HTTP the request has ended, but the session has not.
          if (!connection.overHttp) endGrant(parts.settings.audit, attachment);
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
      findNone(),
    close() {
      closed = true;
      none?.close();
      for (const attachment of attachments) attachment.close();
      attachments.length = 0;
    },
  };
}

/** A failure to record it is not reported: no caller is left to report it to. */
function endGrant(audit: AuditSink, attachment: Attachment): void {
  const { connection } = attachment;
  const { switched } = connection.memory.current();
  const origin = { connection, revision: attachment.revision() };
  recordGrantEnd(audit, origin, { switched, reason: 'the client disconnected' }).catch(() => undefined);
}

interface AttachmentListeners {
  readonly rootsDue: (attachment: Attachment) => void;
  readonly trace: Trace;
}

/** Observes messages. It stores facts in the background and never delays a message. */
function createNotice(
  attachment: Attachment,
  { rootsDue, trace }: AttachmentListeners,
): (message: unknown) => void {
  const { connection } = attachment;
  return (message) => {
    const { method, params } = fieldsOf(message);
    if (method === 'initialize') keepQuietly(connection.memory.keepInitialize(params));
    if (method === 'notifications/initialized') {
      const roots = connection.capabilities()['roots'] !== undefined;
      trace({ kind: 'initialized', client: connection.client()?.name, roots }, connection);
      rootsDue(attachment);
    }
    // A 2026 client has no such notification, so it is ignored there.
    if (method !== 'notifications/roots/list_changed' || connection.modern) return;
    trace({ kind: 'changed' }, connection);
    connection.invalidate();
    rootsDue(attachment);
  };
}

/** Ignores a failure: without these facts the client counts as one that cannot be asked. */
function keepQuietly(kept: void | Promise<void>): void {
  kept?.catch(() => undefined);
}

/** One connection with all of its state, until it closes. */
export interface Attachment {
  readonly connection: Connection;
  readonly roots: ClientRoots;
  readonly compositions: CompositionCache;
  /** The facts that a composition depends on, if they are known without asking. */
  readonly factsAtHand: FactsAtHand;
  /** The places that a request names in its metadata, in the notation of its client. */
  readonly placesIn: (incoming: RequestFacts) => readonly string[];
  /** When a 2026 client answered last, on the clock of `performance.now`. */
  answeredAt: number;
  /** The number of the last composition. */
  revision(): number;
  /** The number of the next composition, higher than that of any before. */
  nextRevision(): number;
  /** Called when an answer was stored, which may differ from the one before. */
  answered(): void;
  /** Releases everything that belongs to this connection alone. */
  close(): void;
}

export interface AttachmentParts {
  readonly server: LowServer;
  readonly transport: WireTransport;
  readonly settings: Settings;
  readonly answered: (attachment: Attachment) => void;
}

export function createAttachment({ server, transport, settings, answered }: AttachmentParts): Attachment {
  const ownMemory = createMemory();
  // A connection without a session id, or before it has one, keeps its memory itself.
  const memory = (): ConnectionMemory => settings.memory?.(transport.sessionId) ?? ownMemory;
  const connection = createConnection({ server, transport, memory, overHttp: settings.overHttp });
  const roots = createClientRoots(connection, {
    patience: settings.timeout,
    caught: settings.caught,
    answered: () => attachment.answered(),
  });
  const { keeper } = settings;
  // Over HTTP a connection lasts for one request, so it must find the compositions of earlier ones.
  const own =
    keeper === undefined || !settings.overHttp
      ? createCompositionCache(settings.freshness)
      : keeper.of(undefined);
  const placesIn = createPlaceReader(connection, settings.resolve);
  let revision = 0;
  const attachment: Attachment = {
    connection,
    roots,
    get compositions() {
      const { sessionId } = transport;
      return keeper === undefined || sessionId === undefined ? own : keeper.of(sessionId);
    },
    factsAtHand: createFactsAtHand(connection, roots),
    placesIn,
    answeredAt: -Infinity,
    revision: () => revision,
    nextRevision: () => (revision = keeper?.nextRevision() ?? revision + 1),
    answered: () => answered(attachment),
    close() {
      connection.end();
      own.close();
    },
  };
  return attachment;
}

/** Looks up the client's profile once, because a connection normally has one client. */
function createPlaceReader(connection: Connection, options: ResolveOptions): Attachment['placesIn'] {
  let last: { readonly name: string; readonly facts: Profile | undefined } | undefined;
  return (incoming) => {
    if (incoming.meta === noFields) return [];
    const client = connection.client(incoming);
    if (client === undefined) return [];
    if (last?.name !== client.name) last = { name: client.name, facts: profileOf({ client }, options) };
    const offer = allSources['request-meta'].offer({ meta: incoming.meta }, last.facts);
    return 'none' in offer ? [] : offer.places.map(({ text }) => text);
  };
}
