import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { findSensitive, readPlaces, sensitiveWithin } from './find-root-issues-sensitive.ts';

test('a place is known by the name of the table and by where it really is', async () => {
  using tree = tempTree(['home/', 'keys/id', 'home/.ssh => ../keys', 'home/.ssh-tools/']);
  const places = await readPlaces(tree.at('home'), 'posix');
  const find = (path: string): string | undefined => findSensitive(path, places, 'posix')?.what;
  expect(find(tree.at('keys'))).toBe('it holds keys of SSH');
  expect(find(tree.at('keys/id'))).toBe('it holds keys of SSH');
  expect(find(tree.at('home/.ssh'))).toBe('it holds keys of SSH');
  expect(find(tree.at('home/.ssh-tools'))).toBeUndefined();
  expect(find(tree.at('home'))).toBeUndefined();
});

test('only what exists counts as held', async () => {
  using tree = tempTree(['home/.aws/', 'home/.config/gh/hosts.yml']);
  const places = await readPlaces(tree.at('home'), 'posix');
  const held = sensitiveWithin(tree.at('home'), places, 'posix').map(({ path }) => path);
  expect(held).toEqual([tree.at('home/.aws'), tree.at('home/.config/gh')]);
});
