import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the page is built for the tests: beside the compiled server, as in the package. */
export const builtPage: string = join(repository, '.build/src/web/page');

/** Builds the page if something in it is newer than what was built. */
export function buildPage(): void {
  const names = ['src/web/page', 'src/web/wire/wire.ts', 'src/base/quote.ts', 'web.vite.config.ts'];
  const sources = names.map((name) => join(repository, name));
  if (newest(join(builtPage, 'index.html')) > Math.max(...sources.map(newest))) return;
  const vite = join(repository, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '-c', 'web.vite.config.ts', '--outDir', builtPage];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: repository,
    encoding: 'utf8',
    // What is tested is what is shipped.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`Cannot build the page for the tests:\n${stdout}${stderr}`);
}

/** When the newest file of a tree was changed; 0 if there is none. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
