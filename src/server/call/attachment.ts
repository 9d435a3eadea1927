import type { AttachOptions } from '../settings/attach-options.ts';
import { createClientRoots, type ClientRoots } from '../connection/client-roots.ts';
import { createCompositions, type Compositions } from '../compose/held-compositions.ts';
import { createFactsAtHand, type FactsAtHand } from '../compose/composition-facts.ts';
import { type Connection, createConnection } from '../connection/connection.ts';
import { type ConnectionMemory, createMemory } from '../connection/connection-memory.ts';
import { requestMeta } from '../../workspace/sources/client-sources.ts';
import type { Profile } from '../../workspace/sources/profile.ts';
import { type Incoming, noFields } from '../sdk/call-context.ts';
import { type ResolveOptions, profileOf } from '../../workspace/chain/chain-context.ts';
import type { LowServer, WireTransport } from '../sdk/protocol-server.ts';
import type { Settings } from '../settings/settings.ts';

/** One connection with everything that is kept for it, until it closes. */
export interface Attachment {
  readonly connection: Connection;
  readonly roots: ClientRoots;
  readonly compositions: Compositions;
  /** What a composition for any of its calls depends on, where that is known without asking. */
  readonly factsAtHand: FactsAtHand;
  /** Where a request says that its project is, in the words of its client. */
  readonly placesIn: (incoming: Incoming) => readonly string[];
  /** When a 2026 client answered last, in milliseconds of `performance.now`. */
  answeredAt: number;
  /** Goes up with every composition. */
  revision: number;
  /** An answer was kept: maybe it is another one than before. */
  answered(): void;
  /** Lets go what belongs to this connection alone. */
  close(): void;
}

export interface AttachmentParts {
  readonly server: LowServer;
  readonly transport: WireTransport;
  readonly settings: Settings;
  /** What the author keeps elsewhere. */
  readonly memoryOf: AttachOptions['memory'];
  readonly answered: (attachment: Attachment) => void;
}

export function createAttachment({
  server,
  transport,
  settings,
  memoryOf,
  answered,
}: AttachmentParts): Attachment {
  const ownMemory = createMemory();
  // Before a session has its id, and without one, what is remembered stays with the connection.
  const memory = (): ConnectionMemory => memoryOf?.(transport.sessionId) ?? ownMemory;
  const connection = createConnection({ server, transport, memory, overHttp: settings.overHttp });
  const roots = createClientRoots(connection, {
    patience: settings.timeout,
    answered: () => attachment.answered(),
  });
  const { keeper } = settings;
  const own = createCompositions(settings.freshness);
  const placesIn = createPlaceReader(connection, settings.resolve);
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
    revision: 0,
    answered: () => answered(attachment),
    close() {
      connection.end();
      own.close();
    },
  };
  return attachment;
}

/** A connection has one client as a rule: its facts are looked up once. */
function createPlaceReader(connection: Connection, options: ResolveOptions): Attachment['placesIn'] {
  let last: { readonly name: string; readonly facts: Profile | undefined } | undefined;
  return (incoming) => {
    if (incoming.meta === noFields) return [];
    const client = connection.client(incoming);
    if (client === undefined) return [];
    if (last?.name !== client.name) last = { name: client.name, facts: profileOf({ client }, options) };
    const offer = requestMeta.offer({ meta: incoming.meta }, last.facts);
    return 'none' in offer ? [] : offer.places.map(({ text }) => text);
  };
}
