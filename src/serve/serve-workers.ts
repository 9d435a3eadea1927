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

/** Whether this process should start others that serve, instead of serving itself. */
export function wantsWorkers({ workers = 1 }: Pick<ServeSettings, 'workers'>): boolean {
  return workers > 1 && cluster.isPrimary;
}

/** Whether it is one of those. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Whether it does what one of them should do for all. */
export function isFirst(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1;
}

/** Lets a worker end: what ties it to the process that started it would keep it alive. */
export function leaveCrew(): void {
  cluster.worker?.disconnect();
}

/**
 * Resolves when the process that started this one wants it to end. Signals are heard once and then ignored:
 * Ctrl-C goes to all processes of a terminal, and whoever finishes its calls must not be cut off by the second.
 */
export async function untilDismissed(): Promise<void> {
  const told = new Promise<void>((resolve) => {
    cluster.worker?.on('message', (word) => {
      if (word === endWord) resolve();
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  await untilEnded(told);
}

/** Where all of them listen, if the settings leave it to the system: chosen once, by the process that starts them. */
const portVariable = 'ROOTWARD_WORKER_PORT';

/** The address of the settings, with the port that was chosen for all. */
export function workerAddress(address: ServeAddress, env: CliContext['process']['env'] = {}): ServeAddress {
  return address.port === 0 && isWorker() ? { ...address, port: Number(env[portVariable] ?? 0) } : address;
}

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

/** The processes come and go, the port stays: also where all of them are replaced. */
async function choosePort({ host, port }: ServeAddress): Promise<ServeAddress> {
  if (port !== 0) return { host, port };
  const probe = createServer();
  try {
    await once(probe.listen({ host, port }), 'listening');
    return { host, port: (probe.address() as AddressInfo).port };
  } catch {
    // Whoever is to listen there says what is wrong with it.
    return { host, port };
  } finally {
    probe.close();
  }
}
