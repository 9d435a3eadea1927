import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownHome } from '../../support/processes/own-home.ts';
import { programInModules } from '../../support/processes/program.ts';
import { environmentOf } from '../../support/processes/run-command.ts';

/** Says which modules are loaded, where nothing else is printed. */
const hooks = `
  import { register } from 'node:module';
  const load = 'export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }';
  register('data:text/javascript,' + encodeURIComponent(load));
`;

async function loadedBy(...argv: readonly string[]): Promise<readonly string[]> {
  using home = ownHome(['package.json = {}']);
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`, programInModules, ...argv];
  const options = { cwd: home.at(), env: environmentOf(home), timeout: 30_000 };
  const { stderr } = await promisify(execFile)(process.execPath, args, options);
  return stderr.split('\n').filter((url) => /\/src\/client\/|@clack/.test(url));
}

test('whoever asks where they are does not wait for the roots of a person', async () => {
  expect(await loadedBy('where')).toEqual([]);
});

test('what lists roots loads the store, and no picker', async () => {
  const loaded = await loadedBy('roots', 'list');
  expect(loaded.some((url) => url.includes('/client/store/open-root-store.js'))).toBe(true);
  expect(loaded.filter((url) => /@clack|\/client\/\w+\/(?:discover|watch|expose)/.test(url))).toEqual([]);
});
