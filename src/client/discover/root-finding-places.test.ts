import { expect, test } from 'vitest';
import { ownPlaces, sensitivePlaces } from './root-finding-places.ts';

const pathsFor = (home: string, platform: 'posix' | 'win32'): readonly string[] =>
  sensitivePlaces(home, platform).map(({ path }) => path);

test('are absolute, and spelled as the system does', () => {
  expect(pathsFor('/home/me', 'posix')).toEqual(
    expect.arrayContaining(['/home/me/.ssh', '/home/me/.config/gcloud', '/etc', '/root', '/System']),
  );
  expect(pathsFor('C:\\Users\\me', 'win32')).toEqual(
    expect.arrayContaining(['C:\\Users\\me\\.ssh', 'C:\\Users\\me\\AppData\\Roaming\\gnupg', 'C:\\Windows']),
  );
  expect(pathsFor('C:\\Users\\me', 'win32')).not.toContain('/etc');
});

test('do not cover the home directory itself, wherever it is', () => {
  expect(pathsFor('/root', 'posix')).not.toContain('/root');
  expect(pathsFor('/var/lib/builder', 'posix')).not.toContain('/var/lib');
  expect(pathsFor('/var/lib/builder', 'posix')).toContain('/var/lib/builder/.aws');
});

test('each says what it is, as the end of a sentence', () => {
  const places = sensitivePlaces('/home/me', 'posix');
  expect(places.filter(({ what }) => !/^it (?:holds|may hold|is|belongs to) /.test(what))).toEqual([]);
  expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
});

test('Rootward knows its own, and has none where its home is no place', () => {
  expect(ownPlaces({ ROOTWARD_HOME: '/srv/r' })).toEqual(
    ['', '/roots.jsonc', '/cache', '/log', '/state'].map((path) => `/srv/r${path}`),
  );
  expect(ownPlaces({ ROOTWARD_HOME: 'here' })).toEqual([]);
});
