import { askWithin, bounded, longestTimer } from '../../base/wait.ts';
import type { Grant, StoredRoot } from '../store/stored-root.ts';
import { type ClientPeer, rootAccessDenied, rootsNotAvailable, toProtocolError } from './client-peer.ts';
import type { ExposedStore, ExposeOptions, RootAvailability } from './expose-options.ts';
import { ExposureLog } from './exposure-log.ts';
import { type RootExposure, judgeExposure, type SessionAnswer } from './exposure.ts';
import { RootsConsent } from './roots-consent.ts';
import type { ServerIdentity } from './server-identity.ts';
import { toWireRoot, type WireRoot } from './wire-root.ts';

type ExposerOptions = Omit<ExposeOptions, 'server' | 'availability'> & {
  readonly server: ServerIdentity;
  readonly availability?: RootAvailability | undefined;
};

/** Computes and announces the list of roots that one server sees of one store. */
export class RootsExposer {
  readonly #peer: ClientPeer;
  readonly #store: ExposedStore;
  readonly #options: ExposerOptions;
  readonly #log: ExposureLog;
  #consent: RootsConsent | undefined;
  readonly #now: () => Date;
  /** Converted roots; a changed root in the store is a new object. */
  readonly #wire = new WeakMap<StoredRoot, WireRoot>();
  /** The list as last sent or announced, as text. */
  #announced: string;
  /** Whether the server has asked in this connection; before that, no question goes to a person. */
  #isAsked = false;
  #connection: unknown;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(peer: ClientPeer, store: ExposedStore, options: ExposerOptions) {
    const { server, audit, now = () => new Date() } = options;
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
    this.#connection = peer.connection();
    this.#consent = this.#beginConsent();
    this.#announced = this.#listText(this.#judge());
  }

  /** Answers `roots/list`, always within the timeout. */
  async answer(signal: AbortSignal | undefined): Promise<{ readonly roots: readonly WireRoot[] }> {
    const { timeout = 3_000 } = this.#options;
    this.#noticeConnection();
    // A cancelled request does not end the wait: the list is computed without the person, and changes are noticed.
    const list = (over: AbortSignal): Promise<readonly WireRoot[]> =>
      this.#list(signal === undefined ? over : AbortSignal.any([over, signal]), timeout);
    try {
      const listed = await askWithin(list, { patience: timeout, ref: false });
      if ('ended' in listed) throw rootsNotAvailable('it took too long');
      return { roots: listed.value };
    } catch (error) {
      throw toProtocolError(error);
    }
  }

  /** Checks for changes, once for many events. */
  readonly look = (): void => {
    const { debounce = 50 } = this.#options;
    if (this.#isClosed) return;
    // Done immediately: a root that is removed and added again within the debounce time is another root.
    this.#consent?.retain(this.#store.snapshot().roots);
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

  #beginConsent(): RootsConsent | undefined {
    const { server, ask, patience = 120_000 } = this.#options;
    if (ask === undefined) return undefined;
    const remember: KeepGrant = (root, grant) => this.#remember(root, grant);
    const onAnswer: OnAnswer = (root, answer) => this.#log.recordAnswer(root, answer);
    return new RootsConsent({ server, ask, patience, now: this.#now, remember, onAnswer });
  }

  /** Starts a new session if the connection has changed: no requests, answers or log entries so far. */
  #noticeConnection(): void {
    const connection = this.#peer.connection();
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#consent?.close();
    this.#consent = this.#beginConsent();
    this.#isAsked = false;
    this.#log.restart();
  }

  async #remember(root: StoredRoot, grant: Grant): Promise<boolean> {
    const stored = this.#store.snapshot().roots.find(({ path }) => path === root.path);
    // The root was removed, and perhaps added again, while the person was deciding: the answer was about another one.
    if (stored?.added !== root.added) return false;
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
    const exposures = this.#judge(once);
    const roots = this.#toWire(exposures);
    if (signal.aborted) {
      // The request was cancelled, so the list was not delivered and no grant is used up. The connection may have
      // ended.
      this.look();
      return roots;
    }
    this.#consent?.spend();
    await this.#log.record(exposures);
    this.#announced = this.#listText(this.#judge());
    this.#lookWhenOver();
    if (roots.length === 0 && exposures.length > 0 && this.#options.refused === 'error')
      throw rootAccessDenied();
    return roots;
  }

  /** Asks about undecided roots, and waits as long as the server can wait. */
  async #ask(exposures: readonly RootExposure[], signal: AbortSignal, most: number): Promise<SessionAnswers> {
    const undecided = exposures.filter(({ state }) => state === 'undecided').map(({ root }) => root);
    const asking = this.#question(undecided);
    if (asking === undefined) return nothing;
    const answers = await bounded(asking, { patience: most, signal, ref: false });
    return 'value' in answers ? answers.value : nothing;
  }

  /** Asks a person, and checks for changes after the answer, in case no request waits for it. */
  #question(roots: readonly StoredRoot[]): Promise<SessionAnswers> | undefined {
    if (roots.length === 0 || this.#consent === undefined) return undefined;
    const asking = this.#consent.ask(roots);
    asking.then(this.look, this.#report);
    return asking.then(({ once }) => once);
  }

  /** Notifies the server if its list has changed. */
  async #announce(): Promise<void> {
    if (this.#isClosed) return;
    this.#noticeConnection();
    const exposures = this.#judge();
    const text = this.#listText(exposures);
    if (this.#isAsked) this.#askLater(exposures);
    this.#lookWhenOver();
    if (text === this.#announced) return;
    this.#announced = text;
    if (this.#isAsked) await this.#log.record(exposures);
    await this.#peer.notify();
  }

  /**
   * Asks about roots that are new since the last request. Roots that a person was asked about wait for the next
   * request.
   */
  #askLater(exposures: readonly RootExposure[]): void {
    const fresh = exposures
      .filter(({ root, state }) => state === 'undecided' && this.#consent?.wasAsked(root) === false)
      .map(({ root }) => root);
    // `look` delivers the answer and `#report` the error.
    this.#question(fresh)?.catch(() => {});
  }

  /** Checks again when the next grant or answer expires, because no event announces that. */
  #lookWhenOver(): void {
    const now = this.#now().getTime();
    const granted = this.#store
      .snapshot()
      .roots.flatMap(({ grants }) => grants.map(({ until }) => Date.parse(until ?? '')));
    const answered = [...(this.#consent?.answers.values() ?? [])].map(({ until }) => until?.getTime() ?? NaN);
    const rest = [...granted, ...answered].map((end) => end - now).filter((left) => left > 0);
    clearTimeout(this.#expiry);
    if (rest.length === 0 || this.#isClosed) return;
    const first = rest.reduce((least, left) => Math.min(least, left), longestTimer);
    this.#expiry = setTimeout(this.look, first).unref();
  }

  /** Judges all roots; `once` holds the one-time grants of the current request. */
  #judge(once: SessionAnswers = nothing): readonly RootExposure[] {
    const { server, ask, askFor = ['loopback', 'remote'], remote = 'none', availability } = this.#options;
    const snapshot = this.#store.snapshot();
    this.#consent?.retain(snapshot.roots);
    const answers = this.#consent?.answers ?? nothing;
    const context = {
      server,
      snapshot,
      answers: once.size === 0 ? answers : new Map([...answers, ...once]),
      askFor: ask === undefined ? [] : askFor,
      remote,
      now: this.#now(),
      isUsable: (root: StoredRoot) => availability?.isUsable(root) ?? true,
    };
    return snapshot.roots.map((root) => judgeExposure(root, context));
  }

  #toWire(exposures: readonly RootExposure[]): readonly WireRoot[] {
    const { server, mapUri, rootward = false } = this.#options;
    const tellsGlobs = rootward || server.tier !== 'remote';
    const context = { server, mapUri, now: this.#now(), tellsGlobs };
    const toWire = (exposure: RootExposure): WireRoot | undefined => {
      const isLasting =
        exposure.state === 'shown' &&
        exposure.operations === undefined &&
        exposure.root.grants.every(({ until }) => until === undefined);
      const wire = (isLasting ? this.#wire.get(exposure.root) : undefined) ?? toWireRoot(exposure, context);
      if (isLasting && wire !== undefined) this.#wire.set(exposure.root, wire);
      return wire;
    };
    return exposures.map(toWire).filter((root) => root !== undefined);
  }

  #listText(exposures: readonly RootExposure[]): string {
    try {
      return JSON.stringify(this.#toWire(exposures));
    } catch (error) {
      // A request will report the error; here it is just a different list.
      return String(error);
    }
  }
}

/** By path of the root. */
type SessionAnswers = ReadonlyMap<string, SessionAnswer>;

const nothing: SessionAnswers = new Map();

type KeepGrant = ConstructorParameters<typeof RootsConsent>[0]['remember'];
type OnAnswer = ConstructorParameters<typeof RootsConsent>[0]['onAnswer'];

/** Share of the timeout that a person may use. */
const patienceShare = 0.8;
