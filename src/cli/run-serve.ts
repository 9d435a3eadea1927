import { createKit } from '../tools/ready/kit.ts';
import { announceServe } from './announce-serve.ts';
import type { CliContext } from './command-context.ts';
import { openRecords } from './open-records.ts';
import { prepareKit } from './prepare-kit.ts';
import type { FollowedStore } from './follow-store.ts';
import { readServeSettings, type ServeFlags, type ServeSettings } from './serve-settings.ts';
import { serveStdin } from './serve-stdin.ts';

/** Serves until the client goes, or somebody ends the process. */
export async function runServe(this: CliContext, flags: ServeFlags, ...directories: string[]): Promise<void> {
  const settings = await readServeSettings(this, flags, directories);
  if (await servedByOthers(this, settings)) return;
  const records = await openRecords(this, settings);
  await using store = settings.store ? await openStore(this, settings) : undefined;
  const announced = announceServe(this);
  const kit = createKit(announced.join(await prepareKit(this, settings, { ...records, store })));
  try {
    if (settings.http === undefined) await serveStdin(kit, records);
    else {
      const { serveHttp } = await import('./serve-http.ts');
      await serveHttp(this, { kit, settings, records, opened: announced.opened });
    }
  } finally {
    kit.close();
    await announced.close();
    await records.close();
  }
}

/** Several processes, where that is asked for; loaded by those who need it, like all that a client of stdio does not. */
async function servedByOthers(context: CliContext, settings: ServeSettings): Promise<boolean> {
  if (settings.workers === undefined) return false;
  const { serveWorkers, wantsWorkers } = await import('./serve-workers.ts');
  if (!wantsWorkers(settings)) return false;
  await serveWorkers(context, settings);
  return true;
}

/** Loaded by those who need it: a server that was told its directories knows no store. */
async function openStore(context: CliContext, settings: ServeSettings): Promise<FollowedStore> {
  const { followStore } = await import('./follow-store.ts');
  return followStore(context, settings);
}
