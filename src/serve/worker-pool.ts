import cluster, { type Worker } from 'node:cluster';
import { isObject } from '../base/fields.ts';
import { RootwardError } from '../errors.ts';

export interface WorkerPoolOptions {
  /** What each process finds in its environment, besides that of this one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Told when a process is lost, and when the next one takes its place. */
  readonly print: (line: string) => void;
  readonly times?: Partial<PoolTimes>;
}

/** Milliseconds. */
export interface PoolTimes {
  /** Until the next process takes the place of a lost one; doubled each time, as long as they do not last. */
  readonly shortestPause: number;
  readonly longestPause: number;
  /** A process that lived that long has lasted. */
  readonly lasting: number;
  /** For the way from its start to its listening. */
  readonly start: number;
  /** For what a process has under way when all of them end: more than it takes for itself. */
  readonly end: number;
}

const defaults: PoolTimes = {
  shortestPause: 500,
  longestPause: 10_000,
  lasting: 10_000,
  start: 30_000,
  end: 20_000,
};

/** How a process is asked to end. A signal would not do: the terminal may have sent it the same one already. */
export const endWord = 'rootward: end';

/**
 * Processes that serve one address together. Each one that is lost is replaced, whenever and however it was
 * lost, until `end`. Only at the start one that fails is a reason to give up.
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
   * Starts one, and the others once it listens: what is wrong with all of them is said once.
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

  /** Each finishes what it has under way, within its own bound. */
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

  /** Resolves when it listens. */
  async #hire(): Promise<void> {
    const worker = cluster.fork(this.#options.environment);
    const begun = performance.now();
    this.#workers.add(worker);
    // A message that cannot be sent is one to a process that is about to be gone.
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
    // It came up while the others were told to end, and may not have heard it.
    if (this.#state === 'ending') dismiss(worker);
  }

  #replace(how: string, lived: number): void {
    const { shortestPause, longestPause, lasting } = this.#times;
    if (lived > lasting) this.#pause = shortestPause;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, longestPause);
    this.#options.print(`a process ended (${how}); the next one starts in ${pause / 1_000} s`);
    // It keeps this process alive: there may be no other reason left to go on.
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

/** How it went; also where the system could not even start it. */
function untilGone(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    worker.process.once('error', ({ message }) => {
      if (worker.process.pid === undefined) resolve(message);
    });
  });
}

function notStarted(): RootwardError<'INVALID_CONFIG'> {
  const reason = 'one of them could not start, and has said why unless it took too long';
  return new RootwardError('INVALID_CONFIG', { where: '--workers', reason });
}

/**
 * Closes connections that were on their way to a process when it died. The cluster of Node hands each one over
 * and waits for a word; from a dead process none comes, and the client would wait for ever. What the process
 * had read of it is not known, so nobody else gets it.
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
