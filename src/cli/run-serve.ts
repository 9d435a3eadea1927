import { createKit } from '../tools/ready/kit.ts';
import type { CliContext } from './command-context.ts';
import { openRecords } from './open-records.ts';
import { prepareKit } from './prepare-kit.ts';
import { serveHttp } from './serve-http.ts';
import { readServeSettings, type ServeFlags } from './serve-settings.ts';
import { serveStdin } from './serve-stdin.ts';

/** Serves until the client goes, or somebody ends the process. */
export async function runServe(this: CliContext, flags: ServeFlags, ...directories: string[]): Promise<void> {
  const settings = await readServeSettings(this, flags, directories);
  const records = await openRecords(this, settings);
  const kit = createKit(await prepareKit(this, settings, records));
  try {
    if (settings.http === undefined) await serveStdin(kit, records);
    else await serveHttp(this, { kit, settings, records });
  } finally {
    kit.close();
    await records.close();
  }
}
