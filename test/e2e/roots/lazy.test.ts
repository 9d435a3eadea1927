import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownHome } from '../../support/processes/own-home.ts';
import { programInModules } from '../../support/processes/program.ts';
import { environmentOf } from '../../support/processes/run-command.ts';

/** Writes down which modules are loaded, in a file: what is printed at the end of a process can be lost. */
const hooks = `
  import { register } from 'node:module';
  const load = \`
    import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      appendFileSync(process.env.LOADED, url + '\\\\n');
      return next(url, context);
    }
  \`;
  register('data:text/javascript,' + encodeURIComponent(load));
`;

async function loadedBy(...argv: readonly string[]): Promise<readonly string[]> {
  using home = ownHome(['package.json = {}']);
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`, programInModules, ...argv];
  const env = { ...environmentOf(home), LOADED: home.tree.at('loaded') };
  await promisify(execFile)(process.execPath, args, { cwd: home.at(), env, timeout: 50_000 });
  const loaded = readFileSync(env.LOADED, 'utf8').split('\n');
  expect(loaded.length).toBeGreaterThan(10);
  return loaded.filter((url) => /\/src\/client\/|@clack/.test(url));
}

test('rootward where does not wait for the stored roots', async () => {
  expect(await loadedBy('where')).toEqual([]);
});

test('what lists roots loads the store, and no picker', async () => {
  const loaded = await loadedBy('roots', 'list');
  expect(loaded.some((url) => url.includes('/client/store/open-root-store.js'))).toBe(true);
  expect(loaded.filter((url) => /@clack|\/client\/\w+\/(?:discover|watch|expose)/.test(url))).toEqual([]);
});
