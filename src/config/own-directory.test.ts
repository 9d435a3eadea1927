import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { findDirectories, openOwnDirectory } from './own-directory.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the directories of a person', () => {
  test('are absolute, and named after Rootward without a suffix', () => {
    const { config, cache, log, state } = findDirectories({});
    for (const path of [config, cache, log, state]) {
      expect(isAbsolute(path)).toBe(true);
      expect(path).toMatch(/[\\/]rootward(?:[\\/]|$)/);
    }
  });

  test.runIf(process.platform === 'linux')('follow the standard of the platform', () => {
    vi.stubEnv('XDG_CONFIG_HOME', '/somewhere/config');
    expect(findDirectories({}).config).toBe('/somewhere/config/rootward');
  });

  test.runIf(process.platform === 'linux')('ignore a relative variable of the platform', () => {
    vi.stubEnv('XDG_CONFIG_HOME', 'config');
    expect(findDirectories({}).config).toBe(join(homedir(), '.rootward'));
  });

  test('are all in ROOTWARD_HOME if it is set', () => {
    const home = join(homedir(), 'of', 'rootward');
    expect(findDirectories({ ROOTWARD_HOME: home })).toEqual({
      config: home,
      cache: join(home, 'cache'),
      log: join(home, 'log'),
      state: join(home, 'state'),
    });
    expect(findDirectories({ ROOTWARD_HOME: '' })).toEqual(findDirectories({}));
  });

  test('are not guessed from a relative ROOTWARD_HOME', () => {
    expect(() => findDirectories({ ROOTWARD_HOME: './x' })).toThrow('ROOTWARD_HOME is not absolute');
  });
});

test('creates a missing directory for its owner only, and leaves nothing open', async () => {
  using tree = tempTree();
  const before = openHandles(tree.path);
  const boundary = await openOwnDirectory(tree.at('a', 'b', 'c'));
  await boundary.write('f', 'x');
  await boundary.close();
  for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']])
    expect([names, lstatSync(tree.at(...names)).mode & 0o777]).toEqual([names, 0o700]);
  expect(openHandles(tree.path)).toEqual(before);
});

test('accepts an existing directory, also through a link', async () => {
  using tree = tempTree(['real/', 'link => $TREE/real']);
  await using boundary = await openOwnDirectory(tree.at('link', 'new'));
  await boundary.write('f', 'x');
  expect(lstatSync(tree.at('real', 'new', 'f')).isFile()).toBe(true);
});

test('refuses a file in its place', async () => {
  using tree = tempTree(['file']);
  await expect(openOwnDirectory(tree.at('file'))).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(openOwnDirectory(tree.at('file', 'x'))).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
});
