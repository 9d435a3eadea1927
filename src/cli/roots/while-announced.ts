import { createRequire } from 'node:module';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { findDirectories } from '../../config/own-directory.ts';
import { announce, type Said } from '../../web/processes/running.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/** Runs a command that takes long, so that the page shows it. Where nothing can be written, nobody knows of it. */
export async function whileAnnounced(
  { cwd, process: { env = {} } }: CliContext,
  command: Said['command'],
  run: () => Promise<void>,
): Promise<void> {
  const said: Said = { command, version, directory: cwd, connections: [] };
  const { state } = findDirectories(env);
  requireOwnPlace(state);
  const announced = await announce(state, said).catch(() => undefined);
  try {
    await run();
  } finally {
    await announced?.close();
  }
}
