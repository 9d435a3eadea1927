import { startStallThread } from '../boundary/process/stall-thread.ts';
import { findUnsafeRipgreps } from '../tools/search/search-text.ts';
import { createStallWatch } from '../tools/tool/stall-watch.ts';
import { findDirectories } from '../config/own-directory.ts';
import { announceServe } from './announce-serve.ts';
import { openCaughtClients } from './caught-clients.ts';
import type { FollowedStore } from './follow-store.ts';
import { createKit, createTrace } from './kit/kit.ts';
import { openRecords, type ServeRecords } from './open-records.ts';
import { makeOwnDirectories, warnOfOwnPlaces } from './forbidden-places.ts';
import { prepareKit } from './prepare-kit.ts';
import { serveStdin } from './serve-stdio.ts';
import { warnOfMissing, warnOfRules, warnOfUnread } from './settings/notices.ts';
import type { CliContext } from './settings/process-context.ts';
import { pointAt } from './settings/setting-origins.ts';
import type { ServeFlags } from './settings/serve-options.ts';
import { readServeSettings, type ServeSettings } from './settings/serve-settings.ts';
import { sweepAtStart } from './sweep-at-start.ts';

/** Serves until the client disconnects or the process is ended. */
export async function runServe(this: CliContext, flags: ServeFlags, ...directories: string[]): Promise<void> {
  try {
    await serveFully(this, flags, directories);
  } finally {
    // After a failed start, the channel to the primary process would keep this worker alive.
    if (this.isWorker === true) (await import('./serve-workers.ts')).leavePool();
  }
}

async function serveFully(context: CliContext, flags: ServeFlags, directories: string[]): Promise<void> {
  const settings = await readServeSettings(context, flags, directories);
  if (context.isWorker !== true) {
    warnOfUnread(context, flags, settings);
    warnOfMissing(context, settings).catch(() => undefined);
    tellUnsafe(context).catch(() => undefined);
    const { directories: named = [], project } = settings;
    const served = project === undefined ? named : [...named, project];
    warnOfOwnPlaces(context, settings, served).catch(() => undefined);
  }
  try {
    if (context.isWorker !== true) warnOfRules(context, settings);
    await serveSettled(context, settings);
  } catch (error) {
    throw pointAt(error, settings.settingOrigins);
  }
}

/** Reports the ripgrep programs that are not used because they are unsafe, if there is no other. */
async function tellUnsafe({ process: { env = {}, stderr } }: CliContext): Promise<void> {
  for (const line of await findUnsafeRipgreps(env)) stderr.write(`rootward: ${line}\n`);
}

async function serveSettled(context: CliContext, settings: ServeSettings): Promise<void> {
  if (await servedByOthers(context, settings)) return;
  const records = await openRecords(context, settings);
  await makeOwnDirectories(context);
  try {
    await serveRecorded(context, settings, records);
  } finally {
    // Closed last, so that events during shutdown are recorded.
    await records.close();
  }
}

async function serveRecorded(
  context: CliContext,
  settings: ServeSettings,
  records: ServeRecords,
): Promise<void> {
  await using store = settings.store ? await openStore(context, settings, records) : undefined;
  const announced = announceServe(context, settings);
  const sweeping = sweepAtStart(records);
  const trace = createTrace([records.trace, announced.trace, sweeping.trace]);
  const { audit } = records;
  // Over HTTP many people share the name of a client, and one bad installation says nothing about the others.
  const caught =
    settings.http === undefined
      ? openCaughtClients(findDirectories(context.process.env ?? {}).state)
      : undefined;
  const offers = await prepareKit(context, settings, {
    audit,
    trace,
    ask: announced.ask,
    askSwitch: announced.askSwitch,
    store,
    ...(caught && { caught }),
  });
  const { guest } = context;
  // A guest must not interrupt the rest of its process.
  const stalls = createStallWatch(guest === undefined ? { startThread: startStallThread } : {});
  const kit = createKit({ ...offers, stalls });
  announced.begin(offers.version);
  const writes = offers.tools.some(({ operations }) => operations.includes('write'));
  const sweep = writes ? sweeping : undefined;
  try {
    if (settings.http === undefined) await serveStdin({ kit, records, sweep, guest });
    else {
      const { serveHttp } = await import('./serve-http.ts');
      const log: ServeRecords['log'] = (event) => {
        records.log(event);
        announced.onRecord(event);
      };
      const { opened } = announced;
      await serveHttp(context, { kit, offers, store, settings, sweep, records: { ...records, log }, opened });
    }
  } finally {
    await sweeping.close();
    // Calls under way are recorded before the log is closed.
    await kit.idle();
    kit.close();
    await caught?.close();
    await announced.close();
  }
}

/** Starts several processes if requested. Loaded on demand, like everything that a stdio server does not need. */
async function servedByOthers(context: CliContext, settings: ServeSettings): Promise<boolean> {
  if (settings.workers === undefined) return false;
  const { serveWorkers, wantsWorkers } = await import('./serve-workers.ts');
  if (!wantsWorkers(settings)) return false;
  await serveWorkers(context, settings);
  return true;
}

/** Loaded on demand: a server with named directories uses no store. */
async function openStore(
  context: CliContext,
  settings: ServeSettings,
  records: ServeRecords,
): Promise<FollowedStore> {
  const { followStore } = await import('./follow-store.ts');
  const store = await followStore(context, settings, records);
  const kept = (await store.operator())?.ceiling ?? [];
  const served = kept.map(({ path }) => path);
  if (context.isWorker !== true) warnOfOwnPlaces(context, settings, served).catch(() => undefined);
  return store;
}
