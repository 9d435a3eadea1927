import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import {
  findSensitive,
  ownPlaces,
  readPlaces,
  sensitivePlaces,
  sensitiveWithin,
} from './sensitive-places.ts';

test('a place is known by its listed path and its real path', async () => {
  using tree = tempTree(['home/', 'keys/id', 'home/.ssh => ../keys', 'home/.ssh-tools/']);
  const places = await readPlaces({ home: tree.at('home'), platform: 'posix', own: [] });
  const find = (path: string): string | undefined => findSensitive(path, places, 'posix')?.what;
  expect(find(tree.at('keys'))).toBe('it holds SSH keys');
  expect(find(tree.at('keys/id'))).toBe('it holds SSH keys');
  expect(find(tree.at('home/.ssh'))).toBe('it holds SSH keys');
  expect(find(tree.at('home/.ssh-tools'))).toBeUndefined();
  expect(find(tree.at('home'))).toBeUndefined();
});

test('only existing places count as contained', async () => {
  using tree = tempTree(['home/.aws/', 'home/.config/gh/hosts.yml']);
  const places = await readPlaces({ home: tree.at('home'), platform: 'posix', own: [] });
  const held = sensitiveWithin(tree.at('home'), places, 'posix').map(({ path }) => path);
  expect(held).toEqual([tree.at('home/.aws'), tree.at('home/.config/gh')]);
});

test('places of Rootward count before they exist, by their real path, and once', async () => {
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

const pathsFor = (home: string, platform: 'posix' | 'win32'): readonly string[] =>
  sensitivePlaces(home, platform).map(({ path }) => path);

test('are absolute, and spelled by the rules of the platform', () => {
  expect(pathsFor('/home/me', 'posix')).toEqual(
    expect.arrayContaining(['/home/me/.ssh', '/home/me/.config/gcloud', '/etc', '/root', '/System']),
  );
  expect(pathsFor('C:\\Users\\me', 'win32')).toEqual(
    expect.arrayContaining(['C:\\Users\\me\\.ssh', 'C:\\Users\\me\\AppData\\Roaming\\gnupg', 'C:\\Windows']),
  );
  expect(pathsFor('C:\\Users\\me', 'win32')).not.toContain('/etc');
});

test('never cover the home directory itself', () => {
  expect(pathsFor('/root', 'posix')).not.toContain('/root');
  expect(pathsFor('/var/lib/builder', 'posix')).not.toContain('/var/lib');
  expect(pathsFor('/var/lib/builder', 'posix')).toContain('/var/lib/builder/.aws');
});

test('each completes the sentence that explains it', () => {
  const places = sensitivePlaces('/home/me', 'posix');
  expect(places.filter(({ what }) => !/^it (?:holds|may hold|is|belongs to) /.test(what))).toEqual([]);
  expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
});

test('Rootward knows its own places, and has none if ROOTWARD_HOME is invalid', () => {
  expect(ownPlaces({ ROOTWARD_HOME: '/srv/r' })).toEqual(
    ['', '/roots.jsonc', '/cache', '/log', '/state'].map((path) => `/srv/r${path}`),
  );
  expect(ownPlaces({ ROOTWARD_HOME: 'here' })).toEqual([]);
});
