import type { RpcRequest } from '../http/exchange/json-rpc.ts';
import { type HttpEndpoint, type HttpOptions, listen } from '../http/listen.ts';
import { ownTools } from '../server/call/own-tools.ts';
import { recordGrantEnd, sessionOrigin } from '../server/call/switch-records.ts';
import { openMemoryStore } from '../sessions/memory-store.ts';
import { type EndedGrant, watchGrants } from '../sessions/watch-grants.ts';
import type { FollowedStore } from './follow-store.ts';
import type { Kit, KitOptions } from './kit/kit.ts';
import { ModernServer } from './kit/modern-server.ts';
import { type BuildServer, createServerPool, type ServerPool } from './kit/server-pool.ts';
import type { ServeRecords } from './open-records.ts';
import { openSessions, readSealingKeys, readServeToken } from './open-sessions.ts';
import { isFirst, isWorker, untilDismissed, workerAddress } from './serve-workers.ts';
import { serveNotices } from './settings/notices.ts';
import type { CliContext, TerminalStream } from './settings/process-context.ts';
import { parseServeAddress } from './settings/serve-address.ts';
import type { ServeSettings } from './settings/serve-settings.ts';
import type { StartSweep } from './sweep-at-start.ts';
import { untilEnded } from './until-ended.ts';

export interface HttpParts {
  readonly kit: Kit;
  /** The tools that the kit offers. */
  readonly offers: ToolOffers;
  /** The person's root store, if it is followed. */
  readonly store?: FollowedStore | undefined;
  readonly settings: ServeSettings;
  readonly records: ServeRecords;
  /** Sweeps the operator's directories at start. */
  readonly sweep?: Pick<StartSweep, 'follow'> | undefined;
  /** Called with the address it listens on. */
  readonly opened?: (url: string) => void;
}

/** Serves over HTTP until the process is ended. */
export async function serveHttp(context: CliContext, parts: HttpParts): Promise<void> {
  const { settings, records } = parts;
  // Listens from the start: the primary process may stop this one before it is ready.
  const dismissed = isWorker() ? untilDismissed() : undefined;
  const { stderr } = isWorker() ? { stderr: silent } : context.process;
  const { token, made } = await readServeToken(settings, stderr);
  const sealingKeys = await readSealingKeys(settings, stderr);
  const shared = await openSessions({ settings, keys: sealingKeys, record: records.log });
  const sessions = watchGrants(shared ?? openMemoryStore(), { ended: recordEnd(records) });
  const pool = createServerPool(buildWith(parts));
  try {
    await using endpoint = await listen({
      ...optionsOf(parts, token, pool),
      ...workerAddress(parseServeAddress(settings.http ?? ''), context.process.env),
      ...(sealingKeys.length > 0 && { sealingKeys }),
      sessions,
      // Behind a balancer other nodes take over once they see this one leave.
      ...(shared && { limits: { lingerMs: 1_000 } }),
    });
    parts.opened?.(endpoint.url);
    // No client is involved: this is the most that any client gets.
    await using operator = parts.kit.createServer({ overHttp: true }).rootward;
    if (isFirst()) parts.sweep?.follow(operator);
    for (const line of serveNotices(settings)) stderr.write(`rootward: ${line}\n`);
    const { socket } = parseServeAddress(settings.http ?? '');
    const place = socket === undefined ? endpoint.url : `unix:${socket} as ${endpoint.url}`;
    const shown = made ? `rootward: bearer token, shown once: ${token}\n` : '';
    stderr.write(`rootward: listening on ${place}\n${shown}`);
    await whileFollowing(parts, endpoint, dismissed ?? untilEnded(context.guest?.ended));
    stderr.write('rootward: finishing what is under way\n');
  } finally {
    await pool.close();
    await sessions.close();
  }
}

/** Records the end of a project that a person granted to a session. */
function recordEnd({ audit }: ServeRecords): (grant: EndedGrant) => Promise<void> {
  return ({ session, initialize, switched, reason }) =>
    recordGrantEnd(audit, sessionOrigin(session, initialize), { switched, reason });
}

/** For workers: the primary process prints for all of them. */
const silent: TerminalStream = { write: () => {} };

/** Announces changed tools when the person allows more or less. */
async function whileFollowing(
  { store, offers }: HttpParts,
  endpoint: HttpEndpoint,
  ended: Promise<void>,
): Promise<void> {
  const watch =
    store &&
    watchOffers(offers, {
      store,
      wanted: () => endpoint.listeners > 0,
      changed: () => endpoint.notify({ method: 'notifications/tools/list_changed' }),
    });
  await ended.finally(() => watch?.[Symbol.dispose]());
}

function buildWith({ kit, store }: HttpParts): BuildServer {
  return (era, current) =>
    kit.createServer({
      // Never the memory of another session, even if something of an earlier request still runs.
      memory: (sessionId) =>
        sessionId !== undefined && sessionId === current().sessionId ? current().memory : undefined,
      overHttp: true,
      // Before 2026-07-28 there is no stream to announce a change on, and without a store the tools never change.
      listChanged: era === 'modern' && store !== undefined,
      verifyState: (text) => current().requestState.verify(text),
      ...(era === 'modern' && { protocol: (identity) => new ModernServer(identity) }),
    });
}

function optionsOf(
  { offers, store, settings, records }: HttpParts,
  token: string,
  pool: ServerPool,
): HttpOptions {
  const { hosts, origins } = settings;
  // Without a store the tools never change.
  const announces = store && (['toolsListChanged'] as const);
  return {
    hosts,
    origins,
    tokens: [{ token }],
    createServer: (connection) => pool.take(connection),
    repeatable: onlyLooks(offers),
    ...(announces && { announces }),
    record: records.log,
  };
}

/** The tools of a server and which of them are listed. */
export type ToolOffers = Pick<KitOptions, 'tools' | 'offers'>;

/** Whether a call only reads, so that repeating it does no harm. */
export function onlyLooks({ tools }: ToolOffers): (call: RpcRequest) => boolean {
  const all = [...tools, ...Object.values(ownTools)];
  const looking = new Set<unknown>(
    all.filter(({ annotations }) => annotations['readOnlyHint'] === true).map(({ name }) => name),
  );
  return ({ params }) => looking.has(params?.['name']);
}

export interface OffersWatch {
  readonly store: Pick<FollowedStore, 'operator'>;
  /** Whether a client is subscribed. */
  readonly wanted: () => boolean;
  readonly changed: () => void;
  /** Milliseconds between two checks; 1,000 by default. */
  readonly every?: number;
}

/** Reports when the store changed the list of tools. Checks only while a client is subscribed. */
export function watchOffers(
  offers: ToolOffers,
  { store, wanted, changed, every = 1_000 }: OffersWatch,
): Disposable {
  let last = namesIn(offers);
  let looking = false;
  const look = async (): Promise<void> => {
    // Reads the person's latest changes.
    await store.operator();
    const now = namesIn(offers);
    if (now !== last) changed();
    last = now;
  };
  const timer = setInterval(() => {
    if (looking || !wanted()) return;
    looking = true;
    // An unreadable store is reported to the next call.
    look()
      .catch(() => undefined)
      .finally(() => (looking = false));
  }, every);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function namesIn({ tools, offers = () => true }: ToolOffers): string {
  return tools
    .filter(offers)
    .map(({ name }) => name)
    .join('\n');
}
