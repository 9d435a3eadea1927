import { randomBytes } from 'node:crypto';
import type { RootsAnswer } from '../workspace/sources/roots-answer.ts';
import { EnvelopeListener } from './record/envelope-listener.ts';
import { createKeyedDigest, nameStream, readStreamName } from './record/sealing.ts';
import { SeenRequests } from './record/seen-requests.ts';
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
} from './record/session-store.ts';

export interface MemoryStoreOptions {
  /** How long a silent session lives, in milliseconds. */
  readonly idle?: number;
  /** How many sessions there may be. */
  readonly most?: number;
  /** A clock in milliseconds; only differences count. */
  readonly now?: () => number;
}

const defaults = {
  idle: 30 * 60_000,
  most: 100_000,
  now: () => performance.now(),
} as const satisfies MemoryStoreOptions;

/**
 * Sessions in this process: three maps and one timer. They end with the process.
 *
 * @example
 * ```ts
 * const store = openMemoryStore();
 * await store.create({ id: 'a', principal: 'me', protocolVersion: '2025-11-25', initialize: {} });
 * await store.invalidate('a') // → 1
 * await store.keepAnswer('a', 0, { state: 'empty', revoked: false }) // → false
 * await store.keepAnswer('a', 1, { state: 'empty', revoked: false }) // → true
 * await store.touch('b') // → undefined
 * await store.close();
 * ```
 */
export function openMemoryStore(options: MemoryStoreOptions = {}): SessionStore {
  return new MemoryStore({ ...defaults, ...options });
}

interface KeptSession {
  record: SessionRecord;
  expires: number;
  /** Undefined until the session has sent a request that must not run twice. */
  requests: SeenRequests | undefined;
}

/** Milliseconds for which a closed stream is remembered: longer than any node could still be writing it. */
const fenceLife = 600_000;

class MemoryStore implements SessionStore {
  readonly nodeId: string = newId();
  readonly shared = false;
  /** Ordered by expiry: a session that is used moves to the end. */
  readonly #sessions = new Map<string, KeptSession>();
  /** Closed streams, each with the time at which it is forgotten. */
  readonly #closed = new Map<string, number>();
  /** Sessions with a project that a person granted, as they were then. */
  readonly #grants = new Map<string, SessionRecord>();
  readonly #options: Required<MemoryStoreOptions>;
  readonly #timer: NodeJS.Timeout;
  readonly #digest = createKeyedDigest([randomBytes(32)], 'questions');
  readonly #names = createKeyedDigest([randomBytes(32)], 'streams');
  readonly #listener = new EnvelopeListener();

  constructor(options: Required<MemoryStoreOptions>) {
    this.#options = options;
    const pace = Math.min(30_000, Math.max(10, options.idle / 4));
    this.#timer = setInterval(() => this.#sweep(), pace);
    this.#timer.unref();
  }

  async create(start: SessionStart): Promise<SessionRecord | undefined> {
    if (this.#sessions.size >= this.#options.most) this.#sweepSessions();
    if (this.#sessions.size >= this.#options.most) return undefined;
    const { id, principal, protocolVersion, initialize } = start;
    const record: SessionRecord = {
      id,
      principal,
      protocolVersion,
      initialize,
      generation: 0,
      answer: unasked,
      answered: -1,
    };
    this.#prolong(id, { record, expires: 0, requests: undefined });
    return record;
  }

  async touch(
    id: string,
    requests: readonly string[] = [],
    arrival: ArrivalMark = 0,
  ): Promise<SessionRecord | undefined> {
    const kept = this.#find(id);
    if (kept === undefined) return undefined;
    const now = this.#options.now();
    if (kept.expires - now < this.#options.idle / 2) this.#prolong(id, kept);
    if (requests.length === 0) return kept.record;
    kept.requests ??= new SeenRequests();
    const repeated = kept.requests.see(requests, { came: now, arrival });
    return repeated ? { ...kept.record, repeated } : kept.record;
  }

  async has(id: string): Promise<boolean> {
    return this.#find(id) !== undefined;
  }

  async forget(id: string, requests: readonly string[], arrival: ArrivalMark): Promise<void> {
    this.#find(id)?.requests?.forget(requests, arrival);
  }

  async keepAnswer(id: string, generation: number, answer: RootsAnswer): Promise<boolean> {
    const kept = this.#find(id);
    if (kept?.record.generation !== generation) return false;
    const listed = answer.state === 'listed' ? { listed: answer.roots } : {};
    kept.record = { ...kept.record, answer, answered: generation, ...listed };
    return true;
  }

  async invalidate(id: string): Promise<number | undefined> {
    const kept = this.#find(id);
    if (kept === undefined) return undefined;
    const generation = kept.record.generation + 1;
    kept.record = { ...kept.record, generation };
    return generation;
  }

  async keepSwitched(id: string, switched: ProjectSwitch | undefined): Promise<boolean> {
    const kept = this.#find(id);
    if (kept === undefined) return false;
    const { switched: _before, ...rest } = kept.record;
    kept.record = switched === undefined ? rest : { ...rest, switched };
    return true;
  }

  async keepGrant(record: SessionRecord): Promise<void> {
    this.#grants.set(record.id, record);
  }

  async grants(): Promise<readonly string[]> {
    return [...this.#grants.keys()];
  }

  async takeGrant(id: string): Promise<SessionRecord | undefined> {
    const record = this.#grants.get(id);
    this.#grants.delete(id);
    return record;
  }

  async remove(id: string): Promise<boolean> {
    const found = this.#find(id) !== undefined;
    this.#sessions.delete(id);
    return found;
  }

  async deliver(nodeId: string, envelope: Envelope): Promise<DeliveryResult> {
    return nodeId === this.nodeId ? this.#listener.deliver(envelope) : 'no-node';
  }

  /** Does nothing: this store has one node only. */
  async announce(): Promise<void> {}

  onDeliver(listener: (envelope: Envelope) => boolean): () => void {
    return this.#listener.set(listener);
  }

  openStream(start: StreamStart): string {
    return nameStream(this.#names, this.nodeId, start);
  }

  async closeStream(stream: string): Promise<boolean> {
    const named = readStreamName(this.#names, stream);
    if (named === undefined || this.#closed.has(named.nonce)) return false;
    this.#closed.set(named.nonce, this.#options.now() + fenceLife);
    return true;
  }

  async lookup(stream: string): Promise<StreamState | undefined> {
    const named = readStreamName(this.#names, stream);
    if (named === undefined) return undefined;
    const { node, nonce, session, request } = named;
    const closed = this.#closed.has(nonce);
    return { session, request, node, open: !closed, closed };
  }

  async count(): Promise<number> {
    this.#sweepSessions();
    return this.#sessions.size;
  }

  digest(...parts: readonly string[]): string {
    return this.#digest.of(...parts);
  }

  isDigest(digest: string, ...parts: readonly string[]): boolean {
    return this.#digest.matches(digest, ...parts);
  }

  available(): boolean {
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#sessions.clear();
    this.#closed.clear();
    this.#grants.clear();
    this.#listener.clear();
  }

  #find(id: string): KeptSession | undefined {
    const kept = this.#sessions.get(id);
    return kept !== undefined && kept.expires > this.#options.now() ? kept : undefined;
  }

  #prolong(id: string, kept: KeptSession): void {
    kept.expires = this.#options.now() + this.#options.idle;
    this.#sessions.delete(id);
    this.#sessions.set(id, kept);
  }

  #sweep(): void {
    this.#sweepSessions();
    const now = this.#options.now();
    for (const [id, expires] of this.#closed) if (expires <= now) this.#closed.delete(id);
    for (const kept of this.#sessions.values()) {
      if (kept.requests?.sweep(now) === 0) kept.requests = undefined;
    }
  }

  #sweepSessions(): void {
    const now = this.#options.now();
    for (const [id, { expires }] of this.#sessions) {
      if (expires > now) return;
      this.#sessions.delete(id);
    }
  }
}

/** Shared by all records, because most clients are never asked. */
const unasked: RootsAnswer = { state: 'unasked' };

/** 96 bits. */
function newId(): string {
  return randomBytes(12).toString('base64url');
}
