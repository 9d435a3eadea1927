import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { ownHome } from '../../support/processes/own-home.ts';
import { speakHere } from '../../support/processes/speak.ts';

/*
 * A client that names a directory of keys as a root has not made it a project. The operator can name it: on the
 * command line, or by keeping it as a root.
 */

const entries = [
  'me/app/a.txt = project',
  'me/.ssh/known = host',
  'me/.ssh/keys/work = key',
  'me/.aws/sso = token',
  'me/.kube/config = token',
  'me/.gnupg/ring = key',
  'me/.mozilla/firefox/x/logins.json = {}',
  'me/.docker/config.json = {}',
  'me/.docker/notes.txt = notes',
  'me/lib/.git/hooks/pre-commit = hook',
  'me/innocent => .ssh',
];

test('a client cannot make a secret place a root, by whatever name; the project beside it works', async () => {
  using tree = tempTree(entries);
  const listed = [
    'app',
    '.ssh',
    '.ssh/keys',
    '.aws',
    '.kube',
    '.gnupg',
    '.mozilla/firefox',
    '.docker',
    'innocent',
  ];
  await using server = await speakHere({
    roots: [...listed, 'lib/.git/hooks'].map((name) => toFileUri(tree.at('me', name))),
  });
  const read = (path: string) => server.call('read_text_file', { path: tree.at('me', path) });
  const secrets = [
    '.ssh/known',
    '.ssh/keys/work',
    '.aws/sso',
    '.kube/config',
    '.gnupg/ring',
    'innocent/known',
  ];
  for (const path of [...secrets, '.mozilla/firefox/x/logins.json', '.docker/config.json']) {
    // Negative control: nothing but our rules is in the way.
    expect(readFileSync(tree.at('me', path), 'utf8')).not.toBe('');
    expect([path, (await read(path)).refused]).toEqual([path, true]);
  }
  expect(await read('app/a.txt')).toMatchObject({ refused: false, text: 'project' });
  expect(await read('.docker/notes.txt')).toMatchObject({ refused: false, text: 'notes' });
  expect(await read('lib/.git/hooks/pre-commit')).toMatchObject({ refused: false, text: 'hook' });
  const hook = { path: tree.at('me/lib/.git/hooks/pre-commit'), content: 'evil' };
  expect(await server.call('write_file', hook)).toMatchObject({ refused: true, code: 'DENIED' });
  expect(readFileSync(hook.path, 'utf8')).toBe('hook');
  const told = await server.call('list_roots');
  expect(told.text).toContain('keys and tokens are kept there, so only the operator can name it');
  expect(told.text).toContain('innocent');
});

test('the operator can name such a place, and the start warns', async () => {
  using tree = tempTree(entries);
  await using server = await speakHere({
    args: [tree.at('me/.ssh')],
    roots: [toFileUri(tree.at('me/.ssh/keys'))],
  });
  for (const path of ['.ssh/known', '.ssh/keys/work'])
    expect((await server.call('read_text_file', { path: tree.at('me', path) })).refused).toBe(false);
  await expect.poll(() => server.wire.stderr()).toMatch(/Warning: ".*\.ssh" is a root because it was named/);
});

test('so can a person who keeps it as a root', async () => {
  using home = ownHome(['.ssh/known = host']);
  expect(await home.run('add', '.ssh', '--force')).toMatchObject({ code: 0 });
  await using server = await speakHere({ env: home.env, roots: [toFileUri(home.at('.ssh'))] });
  const read = await server.call('read_text_file', { path: home.at('.ssh/known') });
  expect(read).toMatchObject({ refused: false, text: 'host' });
  await expect.poll(() => server.wire.stderr()).toMatch(/Warning: ".*\.ssh" is a root because/);
});
