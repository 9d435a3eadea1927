import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findSensitive, readPlaces, sensitiveWithin } from './sensitive-places.ts';

test('a place is known by the name of the table and by where it really is', async () => {
  using tree = tempTree(['home/', 'keys/id', 'home/.ssh => ../keys', 'home/.ssh-tools/']);
  const places = await readPlaces({ home: tree.at('home'), platform: 'posix', own: [] });
  const find = (path: string): string | undefined => findSensitive(path, places, 'posix')?.what;
  expect(find(tree.at('keys'))).toBe('it holds keys of SSH');
  expect(find(tree.at('keys/id'))).toBe('it holds keys of SSH');
  expect(find(tree.at('home/.ssh'))).toBe('it holds keys of SSH');
  expect(find(tree.at('home/.ssh-tools'))).toBeUndefined();
  expect(find(tree.at('home'))).toBeUndefined();
});

test('only what exists counts as held', async () => {
  using tree = tempTree(['home/.aws/', 'home/.config/gh/hosts.yml']);
  const places = await readPlaces({ home: tree.at('home'), platform: 'posix', own: [] });
  const held = sensitiveWithin(tree.at('home'), places, 'posix').map(({ path }) => path);
  expect(held).toEqual([tree.at('home/.aws'), tree.at('home/.config/gh')]);
});

test('places of Rootward count before they are there, by where they really are, and once', async () => {
  using tree = tempTree(['home/', 'dotfiles/roots.jsonc', 'config/roots.jsonc => ../dotfiles/roots.jsonc']);
  const own = ['config', 'config/roots.jsonc', 'config/log', 'none/state'].map((path) => tree.at(path));
  const places = await readPlaces({ home: tree.at('home'), platform: 'posix', own });
  const held = (path: string): readonly string[] =>
    sensitiveWithin(path, places, 'posix').map(({ real }) => real);
  expect(held(tree.path)).toEqual(
    ['config', 'dotfiles/roots.jsonc', 'none/state'].map((path) => tree.at(path)),
  );
  expect(held(tree.at('dotfiles'))).toEqual([tree.at('dotfiles/roots.jsonc')]);
  expect(held(tree.at('home'))).toEqual([]);
  expect(findSensitive(tree.at('config/log/x'), places, 'posix')).toMatchObject({ isOwn: true });
});
