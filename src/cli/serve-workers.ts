import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { RootwardError } from '../errors.ts';
import type { CliContext } from './command-context.ts';
import type { ServeSettings } from './serve-settings.ts';
import { untilEnded } from './until-ended.ts';

/** Whether this process should start others that serve, instead of serving itself. */
export function wantsWorkers({ workers = 1 }: Pick<ServeSettings, 'workers'>): boolean {
  return workers > 1 && cluster.isPrimary;
}

/** Whether it is one of those. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Lets a worker end: what ties it to the process that started it would keep it alive. */
export function leaveCrew(): void {
  cluster.worker?.disconnect();
}

/** How long after the loss of a process another one takes its place, in milliseconds. */
const pause = 500;
/** More than a process needs to finish what it has under way, in milliseconds. */
const longestEnd = 20_000;

/**
 * Serves with several processes on one address, until somebody ends this one. Each has a node id of its own. A
 * process that is lost is replaced; one that cannot even start ends them all.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function serveWorkers(context: CliContext, settings: ServeSettings): Promise<void> {
  requireShared(settings);
  const { stderr } = context.process;
  const made = settings.token === undefined && settings.tokenFile === undefined;
  const token = randomBytes(32).toString('base64url');
  const environment = made ? { ROOTWARD_TOKEN: token } : {};
  const crew = new Crew(environment);
  const [{ address, port }] = await crew.start(settings.workers ?? 1);
  const host = address.includes(':') ? `[${address}]` : address;
  const shown = made ? `rootward: bearer token, shown once: ${token}\n` : '';
  stderr.write(
    `rootward: listening on http://${host}:${port}/mcp with ${settings.workers} processes\n${shown}`,
  );
  await untilEnded();
  stderr.write('rootward: finishing what is under way\n');
  await crew.end();
}

function requireShared({ http, sessions }: ServeSettings): void {
  const reason =
    http === undefined
      ? 'there is one client on stdin; several processes serve over HTTP'
      : 'processes share nothing by themselves; say with --sessions where sessions are kept';
  if (http === undefined || sessions === undefined)
    throw new RootwardError('INVALID_CONFIG', { where: '--workers', reason });
}

interface Listening {
  readonly address: string;
  readonly port: number;
}

class Crew {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #workers = new Set<Worker>();
  #ending = false;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  async start(count: number): Promise<[Listening, ...Listening[]]> {
    const listening = Array.from({ length: count }, () => firstWord(this.#hire()));
    try {
      return (await Promise.all(listening)) as [Listening, ...Listening[]];
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Each finishes what it has under way, within its own bound. */
  async end(): Promise<void> {
    this.#ending = true;
    const gone = [...this.#workers].map((worker) => once(worker, 'exit'));
    for (const worker of this.#workers) worker.process.kill('SIGTERM');
    const timer = setTimeout(() => {
      for (const worker of this.#workers) worker.process.kill('SIGKILL');
    }, longestEnd);
    await Promise.all(gone);
    clearTimeout(timer);
  }

  #hire(): Worker {
    const worker = cluster.fork(this.#environment);
    this.#workers.add(worker);
    let served = false;
    worker.once('listening', () => (served = true));
    worker.once('exit', () => {
      this.#workers.delete(worker);
      if (served) setTimeout(() => this.#ending || this.#hire(), pause).unref();
    });
    return worker;
  }
}

/** Where it listens; a process that ends before has said why by itself. */
function firstWord(worker: Worker): Promise<Listening> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ address, port }) => resolve({ address, port }));
    worker.once('exit', () => {
      const reason = 'one of them could not start';
      reject(new RootwardError('INVALID_CONFIG', { where: '--workers', reason }));
    });
  });
}
