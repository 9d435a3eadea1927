import type { ConnectionMemory, Remembered } from '../../server/connection/connection-memory.ts';
import type { SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';
import { type Endpoint, type Exchange, giveUp } from '../exchange/endpoint.ts';
import type { PostedMessages, RpcId, RpcNotification, RpcResponse } from '../exchange/json-rpc.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import type { Reply, ReplyEvents } from '../exchange/reply.ts';
import { closeAfter, closeServer, openServer, type ServerLike } from '../exchange/server-like.ts';
import { SessionTransport } from './session-transport.ts';

/**
 * Answers the requests of one POST with a server that is built for them and closed afterwards. A client that
 * disconnects before the result cancels the call: the result could not be delivered.
 */
export async function answerPost(
  endpoint: Endpoint,
  exchange: Exchange,
  record: SessionRecord,
  posted: PostedMessages,
): Promise<void> {
  const { id: sessionId, principal } = record;
  const { requests } = posted;
  const ids = requests.map(({ id }) => id);
  const answer = openPostReply(endpoint, record, posted);
  const reply: Reply = endpoint.openReply(exchange, {
    ...answer.priming,
    late: () => {
      endpoint.record({ kind: 'late-call', principal, session: sessionId });
      abandon('The call took too long');
    },
    cut: () => abandon('The server is shutting down, and the call was not completed'),
    // A long call keeps its session alive.
    tick: () => void endpoint.store.touch(sessionId).catch(() => {}),
  });
  const finish = (responses: readonly RpcResponse[]): void => answer.finish(reply, responses);
  const transport = openTransport(endpoint, record, { reply, posted, exchange, finish });
  const abandon = (reason: string): void => {
    finish(transport.pending().map((id: RpcId) => giveUp(id, reason)));
    void transport.close().catch(() => {});
  };
  const { stream } = answer;
  endpoint.calls.add(sessionId, ids, { cancel: (it) => transport.cancel(it), abandon, stream });
  exchange.response.once('close', () => {
    abandon('The connection was lost, and the call was not completed');
    endpoint.calls.remove(sessionId, ids);
  });
  const memory = createSessionMemory(endpoint.store, record);
  const connection = { ...endpoint.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  const server = await openServer(endpoint.createServer, connection, transport);
  if (!closeAfter(exchange.response, server)) return;
  await initialize(server, transport, record);
  transport.begin(requests);
}

/** Replays the `initialize` of the session, unless the server remembers it. */
async function initialize(
  server: ServerLike,
  transport: SessionTransport,
  record: SessionRecord,
): Promise<void> {
  if (server.isInitialized === true) return;
  await transport.hydrate(record.initialize);
  if (server.isInitialized === false) server.isInitialized = true;
}

/** Clients of earlier revisions mistake an event without data for a message. */
const firstWithPriming = '2025-11-25';

/** The response to one POST, which may be asked for again. */
interface PostReply {
  /** Names the stream to a client that may lose it. */
  readonly priming: Pick<ReplyEvents, 'prime'>;
  readonly stream: () => string | undefined;
  /** Sends the result, and keeps it for a while if it went out on a stream. */
  readonly finish: (reply: Reply, responses: readonly RpcResponse[]) => void;
}

/** A batch has no single result that could be asked for again. */
function openPostReply(
  { store, finished }: Endpoint,
  { id: session, protocolVersion }: SessionRecord,
  { requests: [request], batch }: PostedMessages,
): PostReply {
  let stream: string | undefined;
  const named = request !== undefined && !batch && protocolVersion >= firstWithPriming;
  const prime = (): string => (stream = store.openStream({ session, request: request?.id ?? '' }));
  return {
    priming: named ? { prime } : {},
    stream: () => stream,
    finish(reply, responses) {
      const [only] = responses;
      if (only === undefined) return;
      reply.finish(batch ? responses : only);
      if (stream !== undefined) finished.keep(stream, only);
    },
  };
}

interface ReplyParts {
  readonly reply: Reply;
  readonly posted: PostedMessages;
  readonly exchange: Exchange;
  readonly finish: (responses: readonly RpcResponse[]) => void;
}

function openTransport(
  endpoint: Endpoint,
  { id: sessionId, principal, answered, generation }: SessionRecord,
  { reply, posted, exchange, finish }: ReplyParts,
): SessionTransport {
  const { meters, store, waiting, limits } = endpoint;
  if (posted.requests.some(({ method }) => method === 'tools/call')) {
    meters.countRootsLookup(answered === generation);
  }
  return new SessionTransport({
    sessionId,
    principal,
    waiting,
    reply,
    complete: finish,
    cancelled: () => endCancelled(reply, posted, exchange),
    onAnswered: (call) => meters.countCall(call),
    askAgainMs: store.shared ? limits.askAgainMs : undefined,
    onAsked: (method, again) => {
      meters.countQuestion(method, again);
      if (again) endpoint.record({ kind: 'asked-again', principal, session: sessionId });
    },
    notify: (notification) => endpoint.notify(sessionId, notification),
  });
}

/** A cancelled request gets no result, but its response must end. A stream that ends without one would be resumed. */
function endCancelled(reply: Reply, posted: PostedMessages, { response }: Exchange): void {
  if (reply.closed) return;
  if (reply.streaming) {
    const [request] = posted.requests;
    if (request !== undefined) reply.finish(giveUp(request.id, 'The call was cancelled'));
  } else {
    response.writeHead(202, plainHeaders).end();
  }
}

/** Builds a server to pass notifications to. Its failures do not reach the client. */
export async function notifyServer(
  endpoint: Endpoint,
  record: SessionRecord,
  notifications: readonly RpcNotification[],
): Promise<void> {
  const { id: sessionId, principal } = record;
  const transport = new SessionTransport({
    sessionId,
    principal,
    waiting: endpoint.waiting,
    notify: (notification) => endpoint.notify(sessionId, notification),
  });
  const memory = createSessionMemory(endpoint.store, record, { announced: true });
  const connection = { ...endpoint.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  try {
    const server = await openServer(endpoint.createServer, connection, transport);
    setTimeout(() => void closeServer(server), afterwards).unref();
    await initialize(server, transport, record);
    for (const notification of notifications) transport.deliver(notification);
  } catch (error) {
    endpoint.record({ kind: 'failed', principal, session: sessionId, error });
  }
}

/** Milliseconds that a server may keep working on a notification. */
const afterwards = 250;

/**
 * The memory of a session, for a server that lives for one request. It starts with the record as loaded and sees the
 * changes of this request; concurrent changes by others are detected by the generation.
 */
export function createSessionMemory(
  store: SessionStore,
  record: SessionRecord,
  { announced = false }: { readonly announced?: boolean } = {},
): ConnectionMemory {
  let now = rememberedOf(record);
  /** Another request changed the session first, so reload it before asking again. */
  const refresh = async (): Promise<void> => {
    const current = await store.touch(record.id);
    if (current !== undefined) now = rememberedOf(current);
  };
  return {
    current: () => now,
    async invalidate() {
      // The endpoint has already done it, when the notification arrived.
      if (announced) return;
      const generation = await store.invalidate(record.id);
      if (generation !== undefined) now = { ...now, generation };
    },
    async keepAnswer(generation, answer) {
      const kept = await store.keepAnswer(record.id, generation, answer);
      const listed = answer.state === 'listed' ? { listed: answer.roots } : {};
      if (kept) now = { ...now, answer, answered: generation, ...listed };
      else await refresh();
      return kept;
    },
    async keepSwitched(switched) {
      await store.keepSwitched(record.id, switched);
      const { switched: _before, ...rest } = now;
      now = switched === undefined ? rest : { ...rest, switched };
    },
    /** Stored when the session began. */
    keepInitialize() {},
  };
}

/** Leaves out the owner of the session, which is not the server's concern. */
function rememberedOf(record: SessionRecord): Remembered {
  const { id: _id, principal: _principal, protocolVersion: _version, ...rest } = record;
  return rest;
}
