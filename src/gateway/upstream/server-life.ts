import { type Fields, fieldsOf } from '../../base/fields.ts';
import { bounded } from '../../base/wait.ts';
import type { SalvagedMessage } from '../../base/salvaged-message.ts';
import { mapRoots, mapToClient, mapToServer } from '../map/map-message.ts';
import type { PathMap } from '../map/path-map.ts';
import { framesIn } from '../relay/client-link.ts';
import { OwnQuestions } from '../relay/own-questions.ts';
import { frameOf, messageIn, readFrame, replaceField, valueIn, type WireFrame } from '../relay/wire-frame.ts';
import type { GatewayPlaces } from '../roots/gateway-roots.ts';
import { fillLaunch, type LaunchTemplate, takesPlaces } from './launch.ts';
import { startUpstream, type Upstream, type UpstreamEnd, type UpstreamListener } from './upstream.ts';

export interface LifeListener extends Pick<UpstreamListener, 'full' | 'drained' | 'stderr'> {
  /** A message of the server that answers no question of the gateway. */
  message(frame: WireFrame): void;
  /** A line that is no message. */
  strange(bytes: Buffer): void;
  tooLong(message: SalvagedMessage): void;
  /** The server ended, and the gateway did not end it. */
  ended(end: UpstreamEnd): void;
}

const byteOrderMark = Buffer.from('\uFEFF');

/** Milliseconds that a new process has to answer the client's `initialize` again. */
const patience = 60_000;

/**
 * The server of one connection, whatever process it is: when the roots change or the process ends, another one takes
 * its place, and is told what the client told the first.
 */
export class ServerLife {
  readonly #template: LaunchTemplate;
  readonly #map: PathMap;
  /** Roots that the server has no name for; the person hears of each once. */
  readonly #untold = new Set<string>();
  readonly #listener: LifeListener;
  readonly #own = new OwnQuestions();
  #said = new ReplayLog();
  #upstream: Upstream | undefined;
  #places: GatewayPlaces = { roots: [], primary: undefined };
  /** The command line of the running process. */
  #launched = '';

  constructor(template: LaunchTemplate, map: PathMap, listener: LifeListener) {
    this.#template = template;
    this.#map = map;
    this.#listener = listener;
  }

  /** The roots under the names that the server has for them. One without such a name is left out. */
  named({ roots, primary }: GatewayPlaces): GatewayPlaces {
    if (this.#map.mappings.length === 0) return { roots, primary };
    const { roots: known, issues } = mapRoots(this.#map, roots);
    for (const { entry, message, hint } of issues) this.#tellOnce(entry, `${message}. ${hint}`);
    const [first] = primary === undefined ? [] : mapRoots(this.#map, [primary]).roots;
    return { roots: known, primary: known.find(({ path }) => path === first?.path) ?? known[0] };
  }

  #tellOnce(entry: string, sentence: string): void {
    if (this.#untold.has(entry)) return;
    this.#untold.add(entry);
    this.#listener.stderr(Buffer.from(`rootward: ${sentence}\n`));
  }

  /** The `initialize` of the client, as the server got it. */
  get opening(): WireFrame | undefined {
    return this.#said.opening;
  }

  /** Whether the process depends on the roots. */
  get takesPlaces(): boolean {
    return takesPlaces(this.#template);
  }

  /** Whether these roots need another process. */
  isOutdated(places: GatewayPlaces): boolean {
    return JSON.stringify(fillLaunch(this.#template, this.named(places))) !== this.#launched;
  }

  /** @throws {RootwardError} `NO_ROOTS` */
  start(places: GatewayPlaces): void {
    const launch = fillLaunch(this.#template, this.named(places));
    this.#places = places;
    this.#launched = JSON.stringify(launch);
    const listener = this.#listener;
    const line = (bytes: Buffer): void => this.#take(bytes);
    this.#upstream = startUpstream(launch, { ...listener, line });
  }

  /**
   * Puts another process in the place of the server, and repeats what the client said to the first.
   *
   * @throws {Error} if it does not answer `initialize`
   */
  async restart(places: GatewayPlaces): Promise<void> {
    await this.stop();
    this.start(places);
    const { opening, followUps } = this.#said;
    if (opening === undefined) return;
    const id = this.#own.nextId();
    const answer = this.#own.expect(id);
    this.#write(replaceField(opening, 'id', id));
    const first = await bounded(answer, { patience });
    if ('ended' in first) throw new Error('the new process did not answer');
    if (this.#said.ready !== undefined) this.#write(this.#said.ready.bytes);
    // A server that refuses one of them does what it would have done at first.
    await Promise.allSettled(followUps.map(({ method, params }) => this.ask(method, params)));
  }

  /** Puts another process in the place of the server, as if there had been none. */
  renew(): void {
    this.#said = new ReplayLog();
    const upstream = this.#upstream;
    this.start(this.#places);
    void upstream?.stop();
  }

  /** Sends a message, with paths under the names that the server has for them. */
  write(frame: WireFrame): void {
    this.#write(this.#map.mappings.length === 0 ? frame.bytes : mappedBytes(this.#map, frame));
  }

  /** Asks a question of the gateway. */
  ask(method: string, params?: Fields): Promise<unknown> {
    return this.#own.ask(method, params, (message) => this.#write(frameOf(message).bytes));
  }

  /** Notes a message of the client that a new process must hear as well. */
  note(frame: WireFrame): void {
    this.#said.note(frame);
  }

  pause(): void {
    this.#upstream?.pause();
  }

  resume(): void {
    this.#upstream?.resume();
  }

  /** Ends the server; returns how it ended, if it ran. */
  async stop(): Promise<UpstreamEnd | undefined> {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    this.#launched = '';
    this.#own.close('the server was ended');
    return upstream?.stop();
  }

  #write(line: Buffer): void {
    this.#upstream?.write(line);
  }

  #take(bytes: Buffer): void {
    const frame = readFrame(bytes);
    if (frame === undefined) return this.#takeStrange(bytes);
    if (frame.method === undefined && this.#own.take(frame)) return;
    try {
      this.#listener.message(this.#map.mappings.length === 0 ? frame : forClient(this.#map, frame));
    } catch (error) {
      // The scan takes lines for messages that no parser takes for JSON.
      if (!(error instanceof SyntaxError)) throw error;
      this.#listener.strange(bytes);
    }
  }

  /** Splits a batch, which only clients of 2025-03-26 know. A byte order mark is no part of a message. */
  #takeStrange(bytes: Buffer): void {
    if (bytes.indexOf(byteOrderMark) === 0) return this.#take(bytes.subarray(byteOrderMark.length));
    const line = bytes.toString('utf8').trim();
    const frames = line.startsWith('[') ? framesIn(line) : undefined;
    if (frames !== undefined) for (const frame of frames) this.#take(frame.bytes);
    else if (line !== '') this.#listener.strange(bytes);
  }
}

function mappedBytes(map: PathMap, frame: WireFrame): Buffer {
  const message = messageIn(frame);
  const mapped = mapToServer(map, message).message;
  return mapped === message ? frame.bytes : frameOf(mapped).bytes;
}

/** A message with paths under the names that the client has for them. */
function forClient(map: PathMap, frame: WireFrame): WireFrame {
  const message = messageIn(frame);
  const mapped = mapToClient(map, message);
  return mapped === message ? frame : frameOf(mapped);
}

interface ReplayedRequest {
  readonly method: string;
  readonly params: Fields;
}

/** The messages that a client sends once and that a server remembers. */
class ReplayLog {
  opening: WireFrame | undefined;
  ready: WireFrame | undefined;
  #level: Fields | undefined;
  readonly #subscribed = new Map<unknown, Fields>();

  get followUps(): readonly ReplayedRequest[] {
    return [
      ...(this.#level === undefined ? [] : [{ method: 'logging/setLevel', params: this.#level }]),
      ...[...this.#subscribed.values()].map((params) => ({ method: 'resources/subscribe', params })),
    ];
  }

  note(frame: WireFrame): void {
    if (frame.method === 'initialize') this.opening = frame;
    else if (frame.method === 'notifications/initialized') this.ready = frame;
    else if (remembered.has(frame.method)) this.#keep(frame.method, fieldsOf(valueIn(frame, 'params')));
  }

  #keep(method: string | undefined, params: Fields): void {
    if (method === 'logging/setLevel') this.#level = params;
    else if (method === 'resources/subscribe') this.#subscribed.set(params['uri'], params);
    else this.#subscribed.delete(params['uri']);
  }
}

const remembered: ReadonlySet<string | undefined> = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
