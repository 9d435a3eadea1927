import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { program } from '../../support/processes/program.ts';

const host = at('../../../examples/host/host.js');
const hooks = new URL('../../support/processes/resolve-rootward.mjs', import.meta.url).href;

test('the example is a whole host in less than 110 lines', () => {
  expect(readFileSync(host, 'utf8').trimEnd().split('\n').length).toBeLessThan(110);
});

test('the host grants and revokes, and each server sees what it should', { timeout: 60_000 }, async () => {
  using tree = tempTree(['home/', 'one/a.txt', 'two/b.txt']);
  const env = {
    PATH: process.env['PATH'] ?? '',
    ROOTWARD: program,
    ROOTWARD_HOME: tree.at('home'),
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', hooks, host, tree.at('roots.jsonc'), tree.at('one'), tree.at('two')],
    { cwd: tree.path, env, timeout: 50_000 },
  );
  expect(stdout.trimEnd().split('\n')).toEqual([
    'granted',
    '  rootward sees first and second',
    '  filesystem sees first and second',
    'written without permission',
    '  rootward refused',
    '  filesystem did it',
    'permitted to write',
    '  rootward sees first and second',
    '  filesystem sees first and second',
    'written with permission',
    '  rootward did it',
    '  filesystem did it',
    'moved away',
    '  rootward sees first',
    '  filesystem sees first',
    'back',
    '  rootward sees first and second',
    '  filesystem sees first and second',
    'hidden from filesystem',
    '  rootward sees first and second',
    '  filesystem sees second',
    'revoked',
    '  rootward sees second',
    '  filesystem sees second',
  ]);
});

test('without directories the host says how it is called', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', hooks, host, 'only-one'], {
    timeout: 20_000,
  });
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: .*\n$/) });
});

function at(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
