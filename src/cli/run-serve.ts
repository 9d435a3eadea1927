import { createKit } from '../tools/ready/kit.ts';
import type { CliContext } from './command-context.ts';
import { openRecords } from './open-records.ts';
import { prepareKit } from './prepare-kit.ts';
import { serveHttp } from './serve-http.ts';
import type { FollowedStore } from './follow-store.ts';
import { readServeSettings, type ServeFlags, type ServeSettings } from './serve-settings.ts';
import { serveStdin } from './serve-stdin.ts';

/** Serves until the client goes, or somebody ends the process. */
export async function runServe(this: CliContext, flags: ServeFlags, ...directories: string[]): Promise<void> {
  const settings = await readServeSettings(this, flags, directories);
  const records = await openRecords(this, settings);
  await using store = settings.store ? await openStore(this, settings) : undefined;
  const kit = createKit(await prepareKit(this, settings, { ...records, store }));
  try {
    if (settings.http === undefined) await serveStdin(kit, records);
    else await serveHttp(this, { kit, settings, records });
  } finally {
    kit.close();
    await records.close();
  }
}

/** Loaded by those who need it: a server that was told its directories knows no store. */
async function openStore(context: CliContext, settings: ServeSettings): Promise<FollowedStore> {
  const { followStore } = await import('./follow-store.ts');
  return followStore(context, settings);
}
