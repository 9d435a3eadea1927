import { fieldsOf } from '../base/fields.ts';
import type { Ask, DifficultClient } from './difficult-client.ts';
import { playMoves, type MoveStage } from './play-moves.ts';
import { createRawPeer, inputRequestsIn, type RawPeer, type PeerReply } from './raw-peer.ts';
import type { Wire, WireMessage } from './wires.ts';

export interface PlayOptions {
  /** The roots that the client can list. */
  readonly roots?: Ask['roots'];
  /** Milliseconds that the server is known to wait for an answer; 3,000 by default. */
  readonly patience?: number;
  /** Milliseconds that the client waits for the server; 20,000 by default. */
  readonly bound?: number;
}

/** One question from the server. */
export interface AskReport {
  readonly method: string;
  /** Milliseconds since the client connected. */
  readonly at: number;
  /** Number of the tool call during which it came, from 1; 0 before the first call. */
  readonly call: number;
}

/** The outcome of one call. `unanswered`: it ended with a question that the client ignored. */
export interface CallReport {
  readonly tool: string;
  readonly outcome: 'result' | 'error' | 'silence' | 'closed' | 'unanswered';
  readonly result?: WireMessage;
  readonly error?: WireMessage;
  readonly milliseconds: number;
  /** How often the call was sent. */
  readonly rounds: number;
}

/** A running difficult client. */
export interface Player extends AsyncDisposable {
  /** The server's answer to the introduction. */
  readonly greeting: PeerReply;
  readonly asks: readonly AskReport[];
  call(tool: string, args?: WireMessage): Promise<CallReport>;
  /** Sends any other request. */
  request(method: string, params?: WireMessage): Promise<PeerReply>;
  close(): Promise<void>;
}

interface Play {
  readonly client: DifficultClient;
  readonly wire: Wire;
  readonly roots: Ask['roots'];
  readonly patience: number;
  readonly ended: AbortController;
  readonly asks: AskReport[];
  readonly started: number;
  calls: number;
  requests: number;
}

/** Repetitions of one call after which the client gives up. */
const mostRounds = 4;

/**
 * Plays a difficult client on a wire: it introduces itself, calls tools, and follows its data when the server
 * asks. It uses no SDK, so that it can break every rule.
 *
 * @example
 * ```ts
 * import { McpServer } from '@modelcontextprotocol/server';
 * import { attach } from 'rootward/server';
 * import { difficultClients, linkWires, playClient } from 'rootward/testing';
 *
 * const server = new McpServer({ name: 'demo', version: '1.0.0' });
 * const rootward = attach(server, { ceiling: [process.cwd()] });
 * server.registerTool('where', {}, async (ctx) => ({
 *   content: [{ type: 'text', text: (await rootward.workspace(ctx)).project.name }],
 * }));
 * const wires = linkWires();
 * await server.connect(wires.server);
 * const player = await playClient(difficultClients.methodNotFound, wires.client);
 * (await player.call('where')).result.content[0].text; // → 'rootward'
 * (await player.call('where')).outcome; // → 'result'
 * player.asks.length; // → 1
 * await player.close();
 * ```
 */
export async function playClient(
  client: DifficultClient,
  wire: Wire,
  { roots = [], patience = 3_000, bound = 20_000 }: PlayOptions = {},
): Promise<Player> {
  const ended = new AbortController();
  const state = { ended, asks: [], started: performance.now(), calls: 0, requests: 0 };
  const play: Play = { client, wire, roots, patience, ...state };
  const peer = createRawPeer(wire, {
    bound,
    asked: (request) => void answerRequest(play, request),
  });
  await wire.start();
  const greeting = await introduce(play, peer);
  const close = async (): Promise<void> => {
    ended.abort();
    await wire.close();
  };
  return {
    greeting,
    asks: play.asks,
    call: async (tool, args = {}) => callTool(play, peer, { name: tool, arguments: args }),
    request: async (method, params = {}) => peer.request(method, envelop(play, params)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function introduce(play: Play, peer: RawPeer): Promise<PeerReply> {
  const { client, roots } = play;
  if (isModern(client)) return peer.request('server/discover', envelop(play, {}));
  const greeting = await peer.request('initialize', {
    protocolVersion: client.revision,
    capabilities: client.capabilities(1),
    clientInfo: identity,
    ...client.initialize?.(roots),
  });
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return greeting;
}

const identity = { name: 'difficult-client', version: '1.0.0' };

function isModern({ revision }: DifficultClient): boolean {
  return revision >= '2026-07-28';
}

/** From 2026-07-28 on every request carries the identity and the capabilities of the client. */
function envelop(play: Play, params: WireMessage): WireMessage {
  const { client } = play;
  if (!isModern(client)) return params;
  play.requests += 1;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': client.revision,
    'io.modelcontextprotocol/clientInfo': identity,
    'io.modelcontextprotocol/clientCapabilities': client.capabilities(play.requests),
  };
  return { ...params, _meta: { ...fieldsOf(params['_meta']), ...meta } };
}

async function answerRequest(play: Play, { id, method }: WireMessage): Promise<void> {
  const { wire } = play;
  note(play, String(method));
  const refuse = async (error: object): Promise<void> => wire.send({ jsonrpc: '2.0', id, error });
  if (method === 'ping') return wire.send({ jsonrpc: '2.0', id, result: {} });
  if (method !== 'roots/list') return refuse({ code: -32601, message: 'Method not found' });
  await playMoves(play.client.whenAsked(askOf(play)), {
    ...stageOf(play),
    id,
    answer: async (result) => wire.send({ jsonrpc: '2.0', id, result }),
    refuse,
    // The connection may have closed before the answer.
  }).catch(() => undefined);
}

function stageOf({ wire, ended }: Play): Pick<MoveStage, 'send' | 'close' | 'signal'> {
  return {
    send: async (message) => wire.send(message),
    close: async () => wire.close(),
    signal: ended.signal,
  };
}

function note(play: Play, method: string): void {
  play.asks.push({ method, at: performance.now() - play.started, call: play.calls });
}

function askOf({ asks, roots, patience }: Play): Ask {
  return { number: asks.filter(({ method }) => method === 'roots/list').length, roots, patience };
}

async function callTool(play: Play, peer: RawPeer, params: WireMessage): Promise<CallReport> {
  play.calls += 1;
  const { client, roots } = play;
  const nobody = { answer: () => undefined, refuse: () => undefined };
  await playMoves(client.beforeCall?.(play.calls) ?? [], { ...stageOf(play), ...nobody });
  const started = performance.now();
  let rounds = 0;
  let extra: WireMessage | undefined = client.withCall?.(roots) ?? {};
  let reply: PeerReply = { kind: 'silence' };
  while (extra !== undefined && rounds < mostRounds) {
    rounds += 1;
    reply = await peer.request('tools/call', envelop(play, { ...params, ...extra }));
    extra =
      reply.kind === 'result' && isQuestion(reply.result) ? await answerRound(play, reply.result) : undefined;
  }
  return {
    tool: String(params['name']),
    ...outcomeOf(reply),
    milliseconds: performance.now() - started,
    rounds,
  };
}

function isQuestion({ resultType }: WireMessage): boolean {
  return resultType === 'input_required';
}

/** The parameters to add when the call is repeated; `undefined` if the client does not repeat it. */
async function answerRound(play: Play, result: WireMessage): Promise<WireMessage | undefined> {
  const responses: Record<string, unknown> = {};
  let again = false;
  for (const [key, request] of Object.entries(inputRequestsIn({ result }))) {
    const { method } = fieldsOf(request);
    note(play, String(method));
    const respond = (response: unknown): void => {
      again = true;
      responses[key] = response;
    };
    const moves = method === 'roots/list' ? play.client.whenAsked(askOf(play)) : declined;
    await playMoves(moves, {
      ...stageOf(play),
      answer: respond,
      refuse: respond,
      forget: () => (again = true),
    });
  }
  const { requestState } = result;
  return again
    ? { inputResponses: responses, ...(requestState !== undefined && { requestState }) }
    : undefined;
}

/** No person uses this client. */
const declined = [{ move: 'answer', result: { action: 'cancel' } }] as const;

function outcomeOf(reply: PeerReply): Pick<CallReport, 'outcome' | 'result' | 'error'> {
  switch (reply.kind) {
    case 'result':
      return { outcome: isQuestion(reply.result) ? 'unanswered' : 'result', result: reply.result };
    case 'error':
      return { outcome: 'error', error: reply.error };
    case 'silence':
    case 'closed':
      return { outcome: reply.kind };
  }
}
