import { randomBytes, randomInt } from 'node:crypto';
import { RootwardError } from '../../errors.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { EnvelopeListener } from '../record/envelope-listener.ts';
import {
  createKeyedDigest,
  type KeyedDigest,
  nameStream,
  openEnvelope,
  readStreamName,
  sealEnvelope,
} from '../record/sealing.ts';
import {
  readFields,
  readGrant,
  resealFields,
  sealSize,
  type SessionFields,
  writeAnswer,
  writeGrant,
  writeStart,
  writeSwitched,
} from '../record/session-fields.ts';
import type {
  ArrivalMark,
  DeliveryResult,
  Envelope,
  SessionRecord,
  SessionStart,
  SessionStore,
  StreamStart,
  StreamState,
  ProjectSwitch,
} from '../record/session-store.ts';
import { RedisEngine } from './engine.ts';
import { type NodeLease, openNodeLease } from './node-lease.ts';
import { loadRedisClient, openRedisLink } from './open-redis-link.ts';
import { databaseOf, parseRedisAddress } from './redis-address.ts';
import type { RedisLink } from './redis-link.ts';
import {
  createRedisNames,
  type RedisNames,
  type RedisSettings,
  type RedisStoreOptions,
  usualPrefix,
  usualSettings,
} from './redis-names.ts';
import type { ScriptName } from './redis-scripts.ts';

/** Milliseconds for which a request is remembered, so that it does not run twice. */
const repeatWithin = 60_000;
/** Milliseconds for which a closed stream is remembered: longer than its node could still be writing it. */
const fenceLife = 600_000;

/**
 * Opens sessions in Redis, shared by all nodes with the same address and secret. Fails if the engine cannot be
 * reached. If it goes away later, every method soon throws `SESSIONS_UNAVAILABLE` until it is back.
 *
 * Not guaranteed: data that the engine loses is lost. After a failover a session may be gone, and an ended one may
 * be back; revoked roots do not return.
 *
 * @throws {RootwardError} `SESSIONS_UNAVAILABLE`, `INVALID_CONFIG`
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<SessionStore> {
  if (options.secrets.length === 0 || options.secrets.some(({ length }) => length < 32)) {
    const reason = 'nodes need a key that they share, of 32 bytes at least';
    throw new RootwardError('INVALID_CONFIG', { where: '--sessions', reason });
  }
  const address = parseRedisAddress(options.address, options.password);
  const names = createRedisNames(options.prefix ?? usualPrefix, databaseOf(address));
  const link = await openRedisLink(address, loadRedisClient);
  const nodeId = options.nodeId ?? randomBytes(12).toString('base64url');
  const settings = { ...usualSettings, ...options };
  const engine = new RedisEngine({ link, patience: settings.patience, observe: settings.observe });
  const store = new RedisStore({ link, engine, nodeId, settings, names });
  try {
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface RedisParts {
  readonly link: RedisLink;
  readonly engine: RedisEngine;
  readonly nodeId: string;
  readonly settings: RedisSettings;
  readonly names: RedisNames;
}

class RedisStore implements SessionStore {
  readonly nodeId: string;
  readonly shared = true;
  readonly #link: RedisLink;
  readonly #engine: RedisEngine;
  readonly #settings: RedisSettings;
  readonly #names: RedisNames;
  readonly #envelopes: KeyedDigest;
  readonly #streams: KeyedDigest;
  readonly #records: KeyedDigest;
  readonly #questions: KeyedDigest;
  #lease: NodeLease | undefined;
  readonly #listener = new EnvelopeListener();

  constructor({ link, engine, nodeId, settings, names }: RedisParts) {
    this.nodeId = nodeId;
    this.#link = link;
    this.#engine = engine;
    this.#settings = settings;
    this.#envelopes = createKeyedDigest(settings.secrets, 'envelopes');
    this.#names = names;
    this.#streams = createKeyedDigest(settings.secrets, 'streams');
    this.#records = createKeyedDigest(settings.secrets, 'records', sealSize);
    this.#questions = createKeyedDigest(settings.secrets, 'questions');
  }

  /** Claims the id of this node before it accepts any message. */
  async open(): Promise<void> {
    const { lease: life } = this.#settings;
    const engine = this.#engine;
    this.#lease = await openNodeLease({ engine, key: this.#names.lease(this.nodeId), life });
    for (const channel of [this.#names.channel(this.nodeId), this.#names.allNodes]) {
      await engine.subscribe(channel, (text) => this.#receive(channel, text));
    }
  }

  async create(start: SessionStart): Promise<SessionRecord | undefined> {
    const { idle, most } = this.#settings;
    const [key, text] = [this.#names.session(start.id), writeStart(this.#records, start)];
    const [room, begun] = await Promise.all([
      this.#engine.run('admit', [this.#names.index], [start.id, String(idle), String(most)]),
      this.#engine.run('begin', [key], [String(idle), text]),
    ]);
    if (room !== 1 && begun === 1) await this.#engine.send(key, 'DEL', key);
    if (room !== 1 || begun !== 1) return undefined;
    return readFields(this.#records, start.id, [0, -1, text, '', '', '']);
  }

  async touch(
    id: string,
    requests: readonly string[] = [],
    arrival: ArrivalMark = randomInt(4_096),
  ): Promise<SessionRecord | undefined> {
    const keys = [this.#names.session(id), this.#names.requests(id)] as const;
    const idle = String(this.#settings.idle);
    const args = [idle, String(repeatWithin), String(arrival), ...requests];
    // A silent engine is not asked, so nothing can arrive there.
    const mayArrive = requests.length > 0 && !this.#engine.silent;
    const found = await this.#engine.run('touch', keys, args).catch((error: unknown) => {
      // The command may still arrive. This one follows it on the same connection.
      if (mayArrive) this.#forgetLater(id, requests, arrival);
      throw error;
    });
    return Array.isArray(found) ? this.#read(id, found) : undefined;
  }

  async forget(id: string, requests: readonly string[], arrival: ArrivalMark): Promise<void> {
    const claim = [String(arrival), ...requests];
    if (this.#engine.silent) this.#forgetLater(id, requests, arrival);
    else await this.#engine.run('forget', [this.#names.requests(id)], claim);
  }

  #forgetLater(id: string, requests: readonly string[], arrival: ArrivalMark): void {
    this.#engine.sendAfter('forget', [this.#names.requests(id)], [String(arrival), ...requests]);
  }

  #read(id: string, found: readonly unknown[]): SessionRecord | undefined {
    const fields = found.slice(0, 6) as unknown as SessionFields;
    const [longer, seen] = found.slice(6) as [number, number];
    // Not awaited: the index only counts, and fields under an older key stay readable.
    if (longer === 1) this.#later('prolong', this.#names.index, [id, String(this.#settings.idle)]);
    const record = readFields(this.#records, id, fields);
    if (record === undefined) this.#settings.forged?.();
    const fresh = record === undefined ? [] : resealFields(this.#records, id, fields);
    if (fresh.length > 0) this.#later('reseal', this.#names.session(id), fresh);
    return record !== undefined && seen > 0 ? { ...record, repeated: true } : record;
  }

  #later(name: ScriptName, key: string, args: readonly string[]): void {
    this.#engine.run(name, [key], args).catch(() => {});
  }

  async keepAnswer(id: string, generation: number, answer: RootsAnswer): Promise<boolean> {
    const { answer: text, listed } = writeAnswer(this.#records, { id, generation }, answer);
    const args = [String(generation), text, listed];
    return (await this.#engine.run('keepAnswer', [this.#names.session(id)], args)) === 1;
  }

  async invalidate(id: string): Promise<number | undefined> {
    const generation = await this.#engine.run('invalidate', [this.#names.session(id)]);
    return typeof generation === 'number' ? generation : undefined;
  }

  async keepSwitched(id: string, switched: ProjectSwitch | undefined): Promise<boolean> {
    const text = writeSwitched(this.#records, id, switched);
    return (await this.#engine.run('keepSwitched', [this.#names.session(id)], [text])) === 1;
  }

  async keepGrant(record: SessionRecord): Promise<void> {
    const { grants } = this.#names;
    await this.#engine.send(grants, 'HSET', grants, record.id, writeGrant(this.#records, record));
  }

  async grants(): Promise<readonly string[]> {
    return (await this.#engine.send(this.#names.grants, 'HKEYS', this.#names.grants)) as string[];
  }

  async takeGrant(id: string): Promise<SessionRecord | undefined> {
    const grant = await this.#engine.run('takeGrant', [this.#names.grants], [id]);
    if (typeof grant !== 'string') return undefined;
    const record = readGrant(this.#records, id, grant);
    if (record === undefined) this.#settings.forged?.();
    return record;
  }

  async has(id: string): Promise<boolean> {
    const session = this.#names.session(id);
    return (await this.#engine.send(session, 'EXISTS', session)) === 1;
  }

  async remove(id: string): Promise<boolean> {
    const { session, index } = this.#names;
    const [removed] = await Promise.all([
      this.#engine.send(session(id), 'DEL', session(id)),
      this.#engine.send(index, 'ZREM', index, id),
    ]);
    return removed === 1;
  }

  async deliver(nodeId: string, envelope: Envelope): Promise<DeliveryResult> {
    if (nodeId === this.nodeId) return this.#listener.deliver(envelope);
    const channel = this.#names.channel(nodeId);
    const heard = await this.#engine.publish(channel, this.#seal(channel, envelope));
    return heard > 0 ? 'accepted' : 'no-node';
  }

  async announce(envelope: Envelope): Promise<void> {
    const { allNodes } = this.#names;
    await this.#engine.publish(allNodes, this.#seal(allNodes, envelope));
  }

  onDeliver(listener: (envelope: Envelope) => boolean): () => void {
    return this.#listener.set(listener);
  }

  openStream(start: StreamStart): string {
    return nameStream(this.#streams, this.nodeId, start);
  }

  async closeStream(stream: string): Promise<boolean> {
    const named = readStreamName(this.#streams, stream);
    if (named === undefined) return false;
    const key = this.#names.stream(named.nonce);
    return (await this.#engine.send(key, 'SET', key, '1', 'NX', 'PX', String(fenceLife))) === 'OK';
  }

  async lookup(stream: string): Promise<StreamState | undefined> {
    const named = readStreamName(this.#streams, stream);
    if (named === undefined) return undefined;
    const { node, nonce, session, request } = named;
    const exists = (key: string): Promise<unknown> => this.#engine.send(key, 'EXISTS', key);
    const [closed, alive] = await Promise.all([
      exists(this.#names.stream(nonce)),
      exists(this.#names.lease(node)),
    ]);
    return { session, request, node, open: closed === 0 && alive === 1, closed: closed !== 0 };
  }

  async count(): Promise<number> {
    return Number(await this.#engine.run('count', [this.#names.index]));
  }

  digest(...parts: readonly string[]): string {
    return this.#questions.of(...parts);
  }

  isDigest(digest: string, ...parts: readonly string[]): boolean {
    return this.#questions.matches(digest, ...parts);
  }

  available(): boolean {
    return !this.#engine.silent && this.#lease?.held() === true;
  }

  async close(): Promise<void> {
    this.#listener.clear();
    await this.#lease?.close();
    this.#engine.close();
    this.#link.close();
  }

  #receive(channel: string, text: string): void {
    const opened = openEnvelope(this.#envelopes, channel, text);
    if (opened === undefined) this.#settings.forged?.();
    // A message to all nodes also returns to its sender.
    else if (opened.from !== this.nodeId) this.#listener.deliver(opened.envelope);
  }

  #seal(channel: string, envelope: Envelope): string {
    return sealEnvelope(this.#envelopes, channel, { from: this.nodeId, envelope });
  }
}
