import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { RootwardError } from '../errors.ts';
import { WorkerPool, endWord } from './worker-pool.ts';
import type { CliContext } from './settings/process-context.ts';
import { parseServeAddress, type ServeAddress } from './settings/serve-address.ts';
import type { ServeSettings } from './settings/serve-settings.ts';
import { untilEnded } from './until-ended.ts';

/** Whether this process should start workers instead of serving itself. */
export function wantsWorkers({ workers = 1 }: Pick<ServeSettings, 'workers'>): boolean {
  return workers > 1 && cluster.isPrimary;
}

/** Whether this process is a worker. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Whether this worker does the work that is needed once. */
export function isFirst(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1;
}

/** Closes the channel to the primary process, which would keep the worker alive. */
export function leavePool(): void {
  cluster.worker?.disconnect();
}

/**
 * Resolves when the primary process asks this worker to end. A signal is handled once and then ignored: Ctrl-C
 * reaches every process of a terminal, and a second one must not cut off running calls.
 */
export async function untilDismissed(): Promise<void> {
  const dismissed = new Promise<void>((resolve) => {
    cluster.worker?.on('message', (word) => {
      if (word === endWord) resolve();
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  await untilEnded(dismissed);
}

/** The port for all workers if the settings leave it to the system; the primary process chooses it. */
const portVariable = 'ROOTWARD_WORKER_PORT';

/** The configured address with the port that was chosen for all workers. */
export function workerAddress(address: ServeAddress, env: CliContext['process']['env'] = {}): ServeAddress {
  return address.port === 0 && isWorker() ? { ...address, port: Number(env[portVariable] ?? 0) } : address;
}

/**
 * Serves with several processes on one address until this one is ended. Each has its own node id. A lost process
 * is replaced; one that cannot start ends them all.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function serveWorkers(context: CliContext, settings: ServeSettings): Promise<void> {
  requireShared(settings);
  const { stderr } = context.process;
  const made = settings.token === undefined && settings.tokenFile === undefined;
  const token = randomBytes(32).toString('base64url');
  const { host, port } = await choosePort(parseServeAddress(settings.http ?? ''));
  const environment = { [portVariable]: `${port}`, ...(made && { ROOTWARD_TOKEN: token }) };
  const pool = new WorkerPool({ environment, print: (line) => stderr.write(`rootward: ${line}\n`) });
  await pool.start(settings.workers ?? 1);
  const shown = made ? `rootward: bearer token, shown once: ${token}\n` : '';
  const name = host.includes(':') ? `[${host}]` : host;
  stderr.write(
    `rootward: listening on http://${name}:${port}/mcp with ${settings.workers} processes\n${shown}`,
  );
  await untilEnded();
  stderr.write('rootward: finishing what is under way\n');
  await pool.end();
}

function requireShared(settings: ServeSettings): void {
  const reason = faultOf(settings);
  if (reason !== undefined) throw new RootwardError('INVALID_CONFIG', { where: '--workers', reason });
}

function faultOf({ http, sessions }: ServeSettings): string | undefined {
  if (http === undefined) return 'there is one client on stdin; several processes serve over HTTP';
  if (parseServeAddress(http).socket !== undefined)
    return 'several processes listen on a port, not on a socket in the file system';
  if (sessions === undefined)
    return 'processes share nothing by themselves; say with --sessions where sessions are kept';
  return undefined;
}

/** Chooses the port once, so that it stays the same when workers are replaced. */
async function choosePort({ host, port }: ServeAddress): Promise<ServeAddress> {
  if (port !== 0) return { host, port };
  const probe = createServer();
  try {
    await once(probe.listen({ host, port }), 'listening');
    return { host, port: (probe.address() as AddressInfo).port };
  } catch {
    // The worker that listens there reports the problem.
    return { host, port };
  } finally {
    probe.close();
  }
}
