import cluster, { type Worker } from 'node:cluster';
import { isObject } from '../base/fields.ts';
import { RootwardError } from '../errors.ts';

export interface WorkerPoolOptions {
  /** Additional environment variables of each worker. */
  readonly environment: Readonly<Record<string, string>>;
  /** Reports when a worker is lost and when it is replaced. */
  readonly print: (line: string) => void;
  readonly times?: Partial<PoolTimes>;
}

/** All in milliseconds. */
export interface PoolTimes {
  /** The pause before a lost worker is replaced; it doubles while workers do not last. */
  readonly shortestPause: number;
  readonly longestPause: number;
  /** A worker that ran this long has lasted. */
  readonly lasting: number;
  /** The limit from start to listening. */
  readonly start: number;
  /** The limit for running calls at shutdown; longer than a worker's own. */
  readonly end: number;
}

const defaults: PoolTimes = {
  shortestPause: 500,
  longestPause: 10_000,
  lasting: 10_000,
  start: 30_000,
  end: 20_000,
};

/** The message that ends a worker. A signal would not do, because the terminal may have sent the same one already. */
export const endWord = 'rootward: end';

/**
 * Worker processes that serve one address. A lost worker is replaced, however it was lost, until `end`. Only a
 * failure at the start gives up.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #times: PoolTimes;
  readonly #workers = new Set<Worker>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #pause: number;
  #state: 'starting' | 'serving' | 'ending' = 'starting';

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#times = { ...defaults, ...options.times };
    this.#pause = this.#times.shortestPause;
  }

  /**
   * Starts one worker, and the others once it listens, so that a common problem is reported once.
   *
   * @throws {RootwardError} `INVALID_CONFIG`
   */
  async start(count: number): Promise<void> {
    try {
      await this.#hire();
      await Promise.all(Array.from({ length: count - 1 }, () => this.#hire()));
      this.#state = 'serving';
      for (let here = this.#workers.size; here < count; here += 1) this.#replace('at the start', 0);
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Lets each worker finish its calls, within its own limit. */
  async end(): Promise<void> {
    this.#state = 'ending';
    for (const pause of this.#pauses) clearTimeout(pause);
    const gone = [...this.#workers].map((worker) => untilGone(worker));
    for (const worker of this.#workers) dismiss(worker);
    const timer = setTimeout(() => {
      for (const worker of this.#workers) worker.process.kill('SIGKILL');
    }, this.#times.end);
    await Promise.all(gone);
    clearTimeout(timer);
  }

  /** Starts a worker and resolves when it listens. */
  async #hire(): Promise<void> {
    const worker = cluster.fork(this.#options.environment);
    const begun = performance.now();
    this.#workers.add(worker);
    // A message cannot be sent to a worker that is exiting.
    worker.on('error', () => {});
    closeOrphans(worker);
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), this.#times.start);
    const forget = async (): Promise<void> => {
      const how = await untilGone(worker);
      clearTimeout(timer);
      this.#workers.delete(worker);
      if (this.#state === 'serving') this.#replace(how, performance.now() - begun);
    };
    const listening = new Promise<void>((resolve) => worker.once('listening', () => resolve()));
    await Promise.race([listening, forget()]);
    clearTimeout(timer);
    if (!this.#workers.has(worker) && this.#state !== 'serving') throw notStarted();
    // It started while the others were told to end and may have missed the message.
    if (this.#state === 'ending') dismiss(worker);
  }

  #replace(how: string, lived: number): void {
    const { shortestPause, longestPause, lasting } = this.#times;
    if (lived > lasting) this.#pause = shortestPause;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, longestPause);
    this.#options.print(`a process ended (${how}); the next one starts in ${pause / 1_000} s`);
    // The timer keeps this process alive, because there may be no worker left.
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      this.#hire().catch((error: unknown) => {
        if (this.#state === 'serving') this.#replace(String(error), 0);
      });
    }, pause);
    this.#pauses.add(timer);
  }
}

function dismiss(worker: Worker): void {
  if (worker.isConnected()) worker.send(endWord, () => {});
}

/** Resolves with the reason a worker ended, even if the system could not start it. */
function untilGone(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    worker.process.once('error', ({ message }) => {
      if (worker.process.pid === undefined) resolve(message);
    });
  });
}

function notStarted(): RootwardError<'INVALID_CONFIG'> {
  const reason = 'one of them could not start; its own message says why, unless it timed out';
  return new RootwardError('INVALID_CONFIG', { where: '--workers', reason });
}

/**
 * Closes connections that were being handed to a worker when it died. Node's cluster waits for an acknowledgement
 * that never comes, and the client would wait forever. Another worker must not take the connection, because the
 * dead one may have read part of it.
 */
export function closeOrphans(worker: Worker): void {
  const { process: child } = worker;
  const handed = new Map<number, Closable>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  const watched = (message: NumberedMessage, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isClosable(handle) && typeof message.seq === 'number') handed.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  Object.assign(child, { send: watched });
  child.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) handed.delete(ack);
  });
  worker.once('exit', () => {
    for (const handle of handed.values()) handle.close();
  });
}

interface NumberedMessage {
  readonly seq?: unknown;
}

interface Closable {
  close(): void;
}

function isClosable(handle: unknown): handle is Closable {
  return isObject(handle) && 'close' in handle;
}
