import type { RpcRequest } from '../http/exchange/json-rpc.ts';
import { type HttpEndpoint, type HttpOptions, listen } from '../http/listen.ts';
import { ownTools } from '../server/call/own-tools.ts';
import type { FollowedStore } from './follow-store.ts';
import type { Kit, KitOptions } from './kit/kit.ts';
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
  /** What the kit was made of. */
  readonly offers: ToolOffers;
  /** What the person keeps, where that is followed. */
  readonly store?: FollowedStore | undefined;
  readonly settings: ServeSettings;
  readonly records: ServeRecords;
  /** Looks through what the operator named. */
  readonly sweep?: Pick<StartSweep, 'follow'> | undefined;
  /** Told where it listens. */
  readonly opened?: (url: string) => void;
}

/** Serves over HTTP until somebody ends the process. */
export async function serveHttp(context: CliContext, parts: HttpParts): Promise<void> {
  const { settings, records } = parts;
  // From the first moment on: who started this process may want its end before it listens.
  const dismissed = isWorker() ? untilDismissed() : undefined;
  const { stderr } = isWorker() ? { stderr: silent } : context.process;
  const { token, made } = await readServeToken(settings, stderr);
  const sealingKeys = await readSealingKeys(settings, stderr);
  const sessions = await openSessions({ settings, keys: sealingKeys, record: records.log });
  try {
    await using endpoint = await listen({
      ...optionsOf(parts, token),
      ...workerAddress(parseServeAddress(settings.http ?? ''), context.process.env),
      ...(sealingKeys.length > 0 && { sealingKeys }),
      // Behind a balancer others take over, once it has seen that this one leaves.
      ...(sessions && { sessions, limits: { lingerMs: 1_000 } }),
    });
    parts.opened?.(endpoint.url);
    // No client is asked: what the operator named is what any of them gets at most.
    await using operator = parts.kit.createServer({ overHttp: true }).rootward;
    if (isFirst()) parts.sweep?.follow(operator);
    for (const line of serveNotices(settings)) stderr.write(`rootward: ${line}\n`);
    const { socket } = parseServeAddress(settings.http ?? '');
    const place = socket === undefined ? endpoint.url : `unix:${socket} as ${endpoint.url}`;
    const shown = made ? `rootward: bearer token, shown once: ${token}\n` : '';
    stderr.write(`rootward: listening on ${place}\n${shown}`);
    await whileFollowing(parts, endpoint, dismissed ?? untilEnded());
    stderr.write('rootward: finishing what is under way\n');
  } finally {
    await sessions?.close();
  }
}

/** The process that started this one speaks for all of them. */
const silent: TerminalStream = { write: () => {} };

/** A person who allows more, or less, changes which tools there are. */
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

function optionsOf({ kit, offers, store, settings, records }: HttpParts, token: string): HttpOptions {
  const { hosts, origins } = settings;
  // Without a store the tools are what they are. Before 2026-07-28 nobody could be told: there is no stream for it.
  const announces = store && (['toolsListChanged'] as const);
  return {
    hosts,
    origins,
    tokens: [{ token }],
    createServer: ({ memory, requestState: { verify }, era }) =>
      kit.createServer({
        memory: () => memory,
        overHttp: true,
        listChanged: era === 'modern' && announces !== undefined,
        verifyState: verify,
      }).server,
    repeatable: onlyLooks(offers),
    ...(announces && { announces }),
    record: records.log,
  };
}

/** The tools of a server, and which of them are listed. */
export type ToolOffers = Pick<KitOptions, 'tools' | 'offers'>;

/** Says of a call whether it only looks: made twice it does no harm. */
export function onlyLooks({ tools }: ToolOffers): (call: RpcRequest) => boolean {
  const all = [...tools, ...Object.values(ownTools)];
  const looking = new Set<unknown>(
    all.filter(({ annotations }) => annotations['readOnlyHint'] === true).map(({ name }) => name),
  );
  return ({ params }) => looking.has(params?.['name']);
}

export interface OffersWatch {
  readonly store: Pick<FollowedStore, 'operator'>;
  /** Whether anybody wants to know. */
  readonly wanted: () => boolean;
  readonly changed: () => void;
  /** Milliseconds between two looks; 1,000 by default. */
  readonly every?: number;
}

/** Tells when a store made the list of tools another one. Looks only while somebody wants to know. */
export function watchOffers(
  offers: ToolOffers,
  { store, wanted, changed, every = 1_000 }: OffersWatch,
): Disposable {
  let last = namesIn(offers);
  let looking = false;
  const look = async (): Promise<void> => {
    // Hears what the person changed meanwhile.
    await store.operator();
    const now = namesIn(offers);
    if (now !== last) changed();
    last = now;
  };
  const timer = setInterval(() => {
    if (looking || !wanted()) return;
    looking = true;
    // A store that cannot be read is told to whoever calls.
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
