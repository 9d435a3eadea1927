import { setTimeout as wait } from 'node:timers/promises';
import type { Peer } from './client-peer.ts';
import { Consent } from './consent.ts';
import type { ExposedStore, ExposeOptions } from './expose-options.ts';
import { type Exposure, judgeExposure } from './exposure.ts';
import { ExposureLog } from './exposure-log.ts';
import { rootAccessDenied, rootsNotAvailable, toProtocolError } from './protocol-error.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { Grant, StoredRoot } from './stored-root.ts';
import { toWireRoot, type WireRoot } from './wire-root.ts';

type ExposerOptions = Omit<ExposeOptions, 'server'> & { readonly server: ServerIdentity };

/** What one server sees of one store. */
export class Exposer {
  readonly #peer: Peer;
  readonly #store: ExposedStore;
  readonly #options: ExposerOptions;
  readonly #log: ExposureLog;
  readonly #consent: Consent | undefined;
  readonly #now: () => Date;
  /** Roots as they are shown: another one in the store is another object. */
  readonly #wire = new WeakMap<StoredRoot, WireRoot>();
  /** The list that the server may know, as text. */
  #announced: string;
  /** Whether the server ever wanted to know: nobody is asked before. */
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(peer: Peer, store: ExposedStore, options: ExposerOptions) {
    const { server, audit, ask, patience = 120_000, now = () => new Date() } = options;
    this.#peer = peer;
    this.#store = store;
    this.#options = options;
    this.#now = now;
    this.#log = new ExposureLog({
      audit,
      server: server.name,
      now,
      revision: () => store.snapshot().revision,
    });
    if (ask !== undefined) {
      const remember: Keep = (root, grant) => this.#remember(root, grant);
      const onAnswer: Heard = (root, answer) => this.#log.recordAnswer(root, answer);
      this.#consent = new Consent({ server, ask, patience, now, remember, onAnswer });
    }
    this.#announced = this.#listText(this.#judge());
  }

  /** Answers `roots/list`. Never later than the time that it has. */
  async answer(signal: AbortSignal | undefined): Promise<{ readonly roots: readonly WireRoot[] }> {
    const { timeout = 3_000 } = this.#options;
    const over = new AbortController();
    const late = wait(timeout, undefined, { signal: over.signal, ref: false }).then(() => {
      throw rootsNotAvailable('it took too long');
    });
    try {
      const listing = this.#list(
        AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]),
        timeout,
      );
      return { roots: await Promise.race([listing, late]) };
    } catch (error) {
      throw toProtocolError(error);
    } finally {
      over.abort();
      late.catch(() => {});
    }
  }

  /** Something may have changed. Looks once for many changes. */
  readonly look = (): void => {
    const { debounce = 50 } = this.#options;
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#announce().catch(this.#report);
    }, debounce).unref();
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#expiry);
    this.#consent?.close();
  }

  async #remember(root: StoredRoot, grant: Grant): Promise<boolean> {
    try {
      await this.#store.remember(root.path, grant);
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  readonly #report = (error: unknown): void => this.#options.onError?.(error);

  async #list(signal: AbortSignal, timeout: number): Promise<readonly WireRoot[]> {
    await this.#log.ready();
    this.#isAsked = true;
    const once = await this.#ask(this.#judge(), signal, timeout * patienceShare);
    const exposures = this.#judge().map((exposure) =>
      once.has(exposure.root.path) ? shownOnce(exposure) : exposure,
    );
    await this.#log.record(exposures);
    this.#announced = this.#listText(this.#judge());
    this.#lookWhenOver();
    const roots = this.#toWire(exposures);
    if (roots.length === 0 && exposures.length > 0 && this.#options.refused === 'error')
      throw rootAccessDenied();
    return roots;
  }

  /** Asks about what is undecided, and waits for it as long as the server can wait. */
  async #ask(
    exposures: readonly Exposure[],
    signal: AbortSignal,
    most: number,
  ): Promise<ReadonlySet<string>> {
    const undecided = exposures.filter(({ state }) => state === 'undecided').map(({ root }) => root);
    if (undecided.length === 0 || this.#consent === undefined) return new Set();
    let isLate = false;
    const asking = this.#consent.ask(undecided).then(({ once }) => {
      // Nobody waits for it any more: the server is told that there is something new.
      if (isLate) this.look();
      return once;
    });
    const patience = wait(most, new Set<string>(), { signal, ref: false }).catch(() => new Set<string>());
    const once = await Promise.race([asking, patience]);
    isLate = true;
    asking.catch(this.#report);
    return once;
  }

  /** Says so if the server may see another list than before. */
  async #announce(): Promise<void> {
    if (this.#isClosed) return;
    const exposures = this.#judge();
    const text = this.#listText(exposures);
    if (this.#isAsked) this.#askLater(exposures);
    this.#lookWhenOver();
    if (text === this.#announced) return;
    this.#announced = text;
    if (this.#isAsked) await this.#log.record(exposures);
    await this.#peer.notify();
  }

  #askLater(exposures: readonly Exposure[]): void {
    const undecided = exposures.filter(({ state }) => state === 'undecided').map(({ root }) => root);
    if (undecided.length === 0 || this.#consent === undefined) return;
    this.#consent.ask(undecided).then(this.look, this.#report);
  }

  /** A grant that ends is a change that nobody makes. */
  #lookWhenOver(): void {
    const now = this.#now().getTime();
    const ends = this.#store
      .snapshot()
      .roots.flatMap(({ grants }) => grants.map(({ until }) => Date.parse(until ?? '') - now))
      .filter((rest) => rest > 0);
    clearTimeout(this.#expiry);
    if (ends.length === 0) return;
    this.#expiry = setTimeout(this.look, Math.min(...ends, longestTimer)).unref();
  }

  #judge(): readonly Exposure[] {
    const { server, ask, askFor = ['loopback', 'remote'], remote = 'none', availability } = this.#options;
    const snapshot = this.#store.snapshot();
    const context = {
      server,
      snapshot,
      answers: this.#consent?.answers ?? new Map(),
      askFor: ask === undefined ? [] : askFor,
      remote,
      now: this.#now(),
      isUsable: (root: StoredRoot) => availability?.isUsable(root) ?? true,
    };
    return snapshot.roots.map((root) => judgeExposure(root, context));
  }

  #toWire(exposures: readonly Exposure[]): readonly WireRoot[] {
    const { server, mapUri } = this.#options;
    const context = { server, mapUri, now: this.#now() };
    const toWire = (exposure: Exposure): WireRoot | undefined => {
      const isLasting =
        exposure.state === 'shown' && exposure.root.grants.every(({ until }) => until === undefined);
      const wire = (isLasting ? this.#wire.get(exposure.root) : undefined) ?? toWireRoot(exposure, context);
      if (isLasting && wire !== undefined) this.#wire.set(exposure.root, wire);
      return wire;
    };
    return exposures.map(toWire).filter((root) => root !== undefined);
  }

  #listText(exposures: readonly Exposure[]): string {
    try {
      return JSON.stringify(this.#toWire(exposures));
    } catch (error) {
      // Whoever asks is told; until then it is just another list.
      return String(error);
    }
  }
}

type Keep = ConstructorParameters<typeof Consent>[0]['remember'];
type Heard = ConstructorParameters<typeof Consent>[0]['onAnswer'];

/** What a timer of Node can be set to. Milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** How much of the time of an answer a person may take. */
const patienceShare = 0.8;

function shownOnce({ root }: Exposure): Exposure {
  return { root, state: 'shown', rule: 'consent:once', reason: 'a person said yes for this once' };
}
