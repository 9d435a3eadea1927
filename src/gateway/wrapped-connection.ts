import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AuditSink } from '../audit/sink.ts';
import { type Fields, fieldsOf } from '../base/fields.ts';
import type { SalvagedMessage } from '../base/salvaged-message.ts';
import { bounded } from '../base/wait.ts';
import { RootwardError } from '../errors.ts';
import type { RpcId } from '../http/exchange/json-rpc.ts';
import { clientIdentity, sessionLabelOf } from '../server/connection/connection.ts';
import { CallDesk } from './calls/call-desk.ts';
import { CallGate } from './calls/call-gate.ts';
import { CallLog } from './calls/call-record.ts';
import { askThroughElicitation } from './calls/ask-person.ts';
import type { ToolRules } from './calls/tool-rules.ts';
import { EraBridge } from './era-bridge.ts';
import { type ClientEnvelope, readEnvelope, withEnvelope } from './eras/envelope.ts';
import { refusesHandshake } from './eras/opening.ts';
import type { PathMap } from './map/path-map.ts';
import { ClientCalls } from './relay/client-calls.ts';
import { ClientLink, type ClientStreams } from './relay/client-link.ts';
import { longestMessage } from './relay/line-reader.ts';
import { OwnQuestions } from './relay/own-questions.ts';
import { ServerQuestions } from './relay/server-questions.ts';
import {
  errorReply,
  frameOf,
  messageIn,
  readFrame,
  resultReply,
  valueIn,
  type WireFrame,
} from './relay/wire-frame.ts';
import {
  type AskClientFor,
  declareRoots,
  type GatewayPlaces,
  type GatewayRoots,
  rootsListOf,
} from './roots/gateway-roots.ts';
import { RootsByCall } from './roots/roots-by-call.ts';
import { ToldRoots } from './roots/told-roots.ts';
import type { LaunchTemplate } from './upstream/launch.ts';
import { ServerLife } from './upstream/server-life.ts';
import { ServerLists } from './upstream/server-lists.ts';
import type { UpstreamEnd } from './upstream/upstream.ts';

export interface WrappedParts {
  readonly client: ClientStreams;
  readonly template: LaunchTemplate;
  /** Names of directories that the server has otherwise. */
  readonly map: PathMap;
  readonly rules: ToolRules;
  readonly audit: AuditSink;
  /** The name of the server in records. */
  readonly name: string;
  readonly openRoots: (ask: AskClientFor) => GatewayRoots;
  /** For the person who reads stderr: what the server writes there, and sentences of the gateway. */
  readonly stderr: (bytes: Buffer | string) => void;
}

/** Messages that may wait while the server starts. */
const mostWaiting = 64;

/** Milliseconds that open calls have when the server is replaced, and after the client's last message. */
const patience = 10_000;

/** Milliseconds that a question for roots waits until the client has initialized. */
const introduced = 1_000;

/** Milliseconds before each new attempt to start a server that ended by itself, and until its end is forgotten. */
const recovery = { pauses: [100, 400, 1_600], forgotten: 60_000 } as const;

/** A place for messages before roots are known, for a server that does not depend on them. */
const nowhere: GatewayPlaces = { roots: [], primary: undefined };

/**
 * One client and its server. Messages pass as they came, except for those about roots, which the gateway answers
 * itself, and calls that a rule refuses.
 */
export class WrappedConnection {
  /** Resolves to the end of the server; `undefined` if there was none. */
  readonly ended: Promise<UpstreamEnd | undefined>;
  readonly #parts: WrappedParts;
  readonly #client: ClientLink;
  readonly #server: ServerLife;
  readonly #roots: GatewayRoots;
  readonly #told: ToldRoots;
  readonly #gate: CallGate;
  readonly #desk: CallDesk;
  readonly #calls = new ClientCalls();
  readonly #questions = new ServerQuestions();
  readonly #lists = new ServerLists();
  readonly #byCall = new RootsByCall(() => this.#hearOfChange('notifications/roots/list_changed'));
  /** Questions of the gateway that are carried over like those of the client. */
  readonly #own = new OwnQuestions();
  /** Carries messages over, unless both ends begin with `initialize`. */
  #bridge: EraBridge | undefined;
  #isNewer = false;
  /** Resolves when the client has initialized, so that it may be asked. */
  readonly #initialized: Promise<void>;
  #log: CallLog;
  #introduction: Fields = {};
  #capabilities: Fields = {};
  #stage: 'new' | 'opening' | 'initialized' | 'closing' = 'new';
  /** Messages of the client that wait for the server; `undefined` while it takes them. */
  #waiting: WireFrame[] | undefined = [];
  /** The reason that there is no server to wait for. */
  #refusal: string | undefined;
  /** When the server ended by itself, on the clock of `performance.now`. */
  #ends: readonly number[] = [];
  #hasPrinted = false;
  #begin: () => void = () => undefined;
  #resolve: (end: UpstreamEnd | undefined) => void = () => undefined;

  constructor(parts: WrappedParts) {
    this.#parts = parts;
    this.#log = this.#openLog({});
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
    this.#initialized = new Promise((resolve) => (this.#begin = resolve));
    this.#server = this.#openServer();
    this.#client = this.#openClient();
    this.#roots = parts.openRoots(({ method, params }) =>
      this.#isNewer ? this.#byCall.ask() : this.#client.ask(method, params),
    );
    this.#told = new ToldRoots(this.#roots, (places) => void this.#follow(places));
    this.#gate = new CallGate({
      rules: parts.rules,
      roots: this.#roots,
      listTools: (cursor) => this.#askServer('tools/list', cursor === undefined ? {} : { cursor }),
      ask: askThroughElicitation(this.#client, () => this.#capabilities, parts.name),
    });
    this.#desk = new CallDesk({
      calls: this.#calls,
      gate: this.#gate,
      log: () => this.#log,
      isNewer: () => this.#isNewer,
      pass: (frame) => this.#pass(frame),
      reply: (message) => this.#client.send(message),
    });
  }

  /** The operator's roots may have changed. */
  refresh(): void {
    if (this.#stage === 'initialized') this.#told.due();
  }

  /** Ends the server, and everything else that belongs to the connection. */
  async close(end?: UpstreamEnd): Promise<void> {
    if (this.#stage === 'closing') return;
    this.#stage = 'closing';
    this.#told.close();
    this.#desk.close();
    this.#bridge?.close();
    this.#own.close('the connection has ended');
    this.#client.close();
    const last = await this.#server.stop();
    await this.#roots.close();
    this.#resolve(end ?? last);
  }

  #openServer(): ServerLife {
    const { template, map, stderr } = this.#parts;
    return new ServerLife(template, map, {
      message: (frame) =>
        this.#bridge === undefined ? this.#deliver(frame) : this.#bridge.fromServer(frame),
      strange: (bytes) => this.#print(bytes),
      tooLong: (message) => this.#dropLong(message),
      full: () => this.#client.pause(),
      drained: () => this.#client.resume(),
      stderr,
      ended: (end) => void this.#recover(end),
    });
  }

  #openClient(): ClientLink {
    return new ClientLink(this.#parts.client, {
      message: (frame) => this.#fromClient(frame),
      full: () => this.#server.pause(),
      drained: () => this.#server.resume(),
      end: () => void this.#finish(),
      gone: () => void this.close(),
      tell: (sentence) => this.#tell(sentence),
    });
  }

  #openLog(introduction: Fields): CallLog {
    const { audit, name: server } = this.#parts;
    const { name: caller, version = '' } = clientIdentity(introduction['clientInfo']) ?? {};
    const origin = { server, session: sessionLabelOf(randomUUID()) };
    const known = caller !== undefined && { caller, client: `${caller} ${version}`.trim() };
    return new CallLog(audit, { ...origin, ...known }, (reason) =>
      this.#tell(`a call could not be recorded: ${reason}`),
    );
  }

  #tell(sentence: string): void {
    this.#parts.stderr(`rootward: ${sentence}\n`);
  }

  /** The client has sent its last message. Its open requests are still answered, for a while. */
  async #finish(): Promise<void> {
    await bounded(this.#calls.idle(), { patience });
    await this.close();
  }

  #fromClient(frame: WireFrame): void {
    if (frame.method === undefined) return this.#passAnswer(frame);
    if (frame.method === 'notifications/cancelled') return this.#cancel(frame);
    if (frame.method === 'notifications/roots/list_changed') return this.#hearOfChange(frame.method);
    if (frame.id !== undefined) this.#calls.add(frame);
    if (this.#waiting === undefined) this.#forward(frame);
    else this.#hold(frame, this.#waiting);
  }

  /** An answer to a question of the server. One that no question waits for is dropped. */
  #passAnswer(frame: WireFrame): void {
    const answer = this.#questions.answer(frame);
    const known = answer && readFrame(answer);
    if (known !== undefined) this.#toServer(known);
  }

  /** Passed at once, never behind other messages. */
  #cancel(frame: WireFrame): void {
    const id = valueIn(frame, 'params', 'requestId');
    const index = this.#waiting?.findIndex((waiting) => waiting.id === id) ?? -1;
    if (index >= 0) this.#waiting?.splice(index, 1);
    if (this.#desk.cancel(id) && index < 0) this.#toServer(frame);
  }

  #hold(frame: WireFrame, waiting: WireFrame[]): void {
    const { id, method } = frame;
    if (id !== undefined && this.#refusal !== undefined) return this.#desk.fail(id, this.#refusal);
    if (id !== undefined && waiting.length >= mostWaiting)
      return this.#desk.fail(id, 'the server is not ready');
    if (id !== undefined && method === 'ping' && this.#stage !== 'new') return this.#answerPing(id);
    waiting.push(frame);
    if (this.#stage === 'new') void this.#start(frame);
  }

  #answerPing(id: RpcId): void {
    this.#calls.end(id);
    this.#client.send(resultReply(id, {}));
  }

  /** Starts the server for the first message of the client. */
  async #start(first: WireFrame): Promise<void> {
    this.#stage = 'opening';
    const params = fieldsOf(valueIn(first, 'params'));
    const newer = readEnvelope(params);
    if (newer === undefined) this.#meet(params);
    try {
      this.#server.start(this.#server.takesPlaces ? await this.#roots.current() : nowhere);
      if (newer !== undefined) this.#meetNewer(newer);
      this.#release();
    } catch (error) {
      this.#desk.failAll(describe(error));
      await this.close({ code: undefined, signal: undefined, reason: describe(error) });
    }
  }

  /** Learns who the client is. One without roots is judged at once; another is asked when it has initialized. */
  #meet(params: Fields): void {
    this.#introduction = params;
    this.#capabilities = fieldsOf(params['capabilities']);
    this.#log = this.#openLog(params);
    if (this.#capabilities['roots'] === undefined) this.#roots.heard({ method: 'initialize', params });
  }

  /** A client of 2026-07-28 can be asked from its first call on. */
  #meetNewer({ capabilities, info }: ClientEnvelope): void {
    const params = { capabilities, clientInfo: info };
    this.#isNewer = true;
    this.#introduction = params;
    this.#bridge = this.#openBridge();
    this.#log = this.#openLog(params);
    this.#roots.heard({ method: 'initialize', params });
    this.#work();
  }

  #openBridge(): EraBridge {
    return new EraBridge({
      toClient: (frame) => this.#deliver(frame),
      toServer: (frame) => this.#server.write(frame),
      renewServer: () => this.#server.renew(),
      tellRoots: async () => this.#server.named(await this.#told.tell()),
      wantsRoots: this.#byCall.wanted,
      rootsSaid: this.#byCall.said,
      record: ({ what, from, method, why }) => this.#tell(`${method} of the ${from} was ${what}: ${why}`),
      newId: () => `rw-${randomUUID()}`,
    });
  }

  /** Lets the messages go on that wait, until one of them makes the others wait again. */
  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const frame of waiting)
      if (this.#waiting === undefined) this.#forward(frame);
      else (this.#waiting as WireFrame[]).push(frame);
  }

  #forward(frame: WireFrame): void {
    if (frame.method === 'initialize') this.#pass(this.#isNewer ? frame : declareRoots(frame));
    else if (frame.method === 'notifications/initialized') this.#beginWork(frame);
    else if (frame.id === undefined) this.#toServer(frame);
    else this.#desk.take(frame);
  }

  /** Sends a message to the server. It may have to wait again, if the decision about it took time. */
  #pass(frame: WireFrame): void {
    if (this.#waiting !== undefined) return void this.#waiting.push(frame);
    if (this.#bridge === undefined) this.#server.note(frame);
    this.#toServer(frame);
  }

  /** Asks the server a question of the gateway, in the era of the client. */
  #askServer(method: string, params: Fields): Promise<unknown> {
    if (this.#bridge === undefined) return this.#server.ask(method, params);
    const { capabilities, clientInfo } = this.#introduction;
    const introduction = { capabilities: fieldsOf(capabilities), info: fieldsOf(clientInfo) };
    const said = this.#isNewer ? withEnvelope(params, introduction) : params;
    return this.#own.ask(method, said, (message) => this.#bridge?.fromClient(frameOf(message)));
  }

  #toServer(frame: WireFrame): void {
    if (this.#bridge === undefined) this.#server.write(frame);
    else this.#bridge.fromClient(frame);
  }

  /** The client has initialized. A server that depends on roots waits until they are known. */
  #beginWork(frame: WireFrame): void {
    this.#pass(frame);
    if (this.#capabilities['roots'] !== undefined)
      this.#roots.heard({ method: 'initialize', params: this.#introduction });
    if (this.#server.takesPlaces) this.#waiting = [];
    this.#work();
  }

  /** From now on the client can be asked, and the server may need other roots. */
  #work(): void {
    this.#stage = 'initialized';
    this.#roots.heard({ method: 'notifications/initialized' });
    this.#begin();
    this.#told.tell().then(
      (places) => this.#bringInStep(places),
      () => this.#release(),
    );
  }

  #hearOfChange(method: string): void {
    this.#roots.heard({ method });
    this.refresh();
  }

  /** The roots differ from those that the server was told. */
  async #follow(places: GatewayPlaces): Promise<void> {
    if (this.#server.takesPlaces) return this.#bringInStep(places);
    if (this.#bridge === undefined)
      this.#answerServer({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    else this.#bridge.rootsChanged();
  }

  /** Replaces the server, if its command line depends on the roots and is another now. */
  async #bringInStep(places: GatewayPlaces): Promise<void> {
    if (this.#stage === 'closing') return;
    try {
      if (!this.#server.takesPlaces || !this.#server.isOutdated(places)) return this.#release();
      this.#waiting ??= [];
      await bounded(
        this.#calls.idle(() => this.#waiting?.length ?? 0),
        { patience },
      );
      this.#desk.failAll('the roots have changed, and the server was restarted', this.#waiting);
      await this.#replace(places);
    } catch (error) {
      await this.#withdraw(describe(error));
    }
  }

  async #replace(places: GatewayPlaces): Promise<void> {
    this.#waiting ??= [];
    this.#questions.restart();
    this.#gate.forgetTools();
    await this.#server.restart(places);
    this.#bridge?.restarted();
    this.#refusal = undefined;
    this.#release();
    const changed = await this.#lists.changed((method, params) => this.#askServer(method, params));
    for (const method of changed) this.#client.send({ jsonrpc: '2.0', method });
  }

  /** There is no server until the roots change: none can run without a root. */
  async #withdraw(reason: string): Promise<void> {
    this.#refusal = reason;
    this.#tell(reason);
    const waiting = this.#waiting ?? [];
    this.#waiting = [];
    for (const { id } of waiting) if (id !== undefined) this.#desk.fail(id, reason);
    await this.#server.stop();
  }

  /** The server ended by itself. Another process takes its place, a few times. */
  async #recover(end: UpstreamEnd): Promise<void> {
    if (this.#bridge?.serverEnded() === true) return;
    this.#desk.failAll(end.reason, this.#waiting);
    const now = performance.now();
    this.#ends = [...this.#ends.filter((before) => now - before < recovery.forgotten), now];
    const pause = recovery.pauses[this.#ends.length - 1];
    if (this.#stage !== 'initialized' || pause === undefined) return this.#abandon(end);
    this.#tell(`${end.reason}; it is started again`);
    this.#waiting ??= [];
    await wait(pause);
    if (this.#isOver()) return;
    await this.#replace(await this.#told.tell()).catch((error: unknown) => this.#withdraw(describe(error)));
  }

  #isOver(): boolean {
    return this.#stage === 'closing';
  }

  async #abandon(end: UpstreamEnd): Promise<void> {
    this.#tell(end.reason);
    for (const { id } of this.#waiting ?? []) if (id !== undefined) this.#desk.fail(id, end.reason);
    await this.close(end);
  }

  /** A message of the server, as the client can read it. */
  #deliver(frame: WireFrame): void {
    const { method, id } = frame;
    if (method === undefined) return this.#passResult(frame);
    if (id !== undefined) return this.#passQuestion(frame, id);
    if (method === 'notifications/cancelled') return this.#takeBack(frame);
    if (method === 'notifications/tools/list_changed') this.#gate.forgetTools();
    if (method === 'notifications/progress' && !this.#takesProgress(frame)) return;
    this.#client.pass(frame);
  }

  #takesProgress(frame: WireFrame): boolean {
    return this.#calls.takesProgress(valueIn(frame, 'params', 'progressToken'));
  }

  #passResult(frame: WireFrame): void {
    if (this.#own.take(frame) || this.#isRefused(frame)) return;
    const call = this.#desk.answered(frame);
    if (call !== undefined) this.#lists.note(call.frame, frame);
    if (call?.method === 'tools/list') this.#client.pass(frame, this.#gate.shownTools(frame));
    else this.#client.pass(frame);
  }

  /** Whether the server refuses the `initialize` of the client, because it knows 2026-07-28 alone. */
  #isRefused(frame: WireFrame): boolean {
    const call = this.#bridge === undefined ? this.#calls.find(frame.id) : undefined;
    if (call?.method !== 'initialize' || !refusesHandshake(messageIn(frame))) return false;
    this.#bridge = this.#openBridge();
    this.#bridge.adopt(call.frame, frame);
    return true;
  }

  #passQuestion(frame: WireFrame, id: RpcId): void {
    const { method = '' } = frame;
    if (method === 'roots/list') return void this.#answerRoots(id);
    const needed = capabilityOf.get(method);
    if (needed !== undefined && this.#capabilities[needed] === undefined)
      return this.#answerServer(errorReply(id, -32_601, `The client does not offer ${needed}`));
    this.#client.pass(frame, this.#questions.ask(frame));
  }

  async #answerRoots(id: RpcId): Promise<void> {
    // Some servers ask before they answer `initialize`; the client cannot be asked by then.
    await bounded(this.#initialized, { patience: introduced });
    const reply = await this.#told.tell().then(
      (places) => resultReply(id, rootsListOf(this.#server.named(places))),
      (error: unknown) => errorReply(id, -32_603, describe(error)),
    );
    this.#answerServer(reply);
  }

  #answerServer(message: object): void {
    this.#server.write(frameOf(message));
  }

  #takeBack(frame: WireFrame): void {
    const bytes = this.#questions.takeBack(frame);
    if (bytes !== undefined) this.#client.pass(frame, bytes);
  }

  /** A client that waits for a message that is too long is told so. */
  #dropLong({ answeredId, requestId }: SalvagedMessage): void {
    const reason = `a message of the server is longer than ${longestMessage} bytes`;
    this.#tell(reason);
    if (answeredId !== undefined && this.#calls.find(answeredId)) this.#desk.fail(answeredId, reason);
    if (requestId !== undefined) this.#answerServer(errorReply(requestId, -32_600, reason));
  }

  /** Only messages belong on stdout; everything else that a server prints there is shown to the person. */
  #print(bytes: Buffer): void {
    if (!this.#hasPrinted)
      this.#tell('the server prints to stdout, where only messages belong; it is shown here');
    this.#hasPrinted = true;
    this.#parts.stderr(bytes);
  }
}

/** The capability that a client needs for a question. */
const capabilityOf: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
]);

function describe(error: unknown): string {
  if (RootwardError.is(error)) return `${error.message}. ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
