import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { type ChainBound, createBound } from './bound.ts';
import type { Disk } from './disk.ts';
import { realDisk } from './real-disk.ts';
import { allSources } from '../sources/all-sources.ts';

/** A disk that must not be touched. */
const untouched: Pick<Disk, 'realPath'> = {
  realPath: (path) => Promise.reject(new Error(`looked at ${path}`)),
};

function boundTo(roots: readonly string[], disk: Pick<Disk, 'realPath'> = realDisk): ChainBound {
  return createBound(roots, { platform: 'posix', disk, everyone: true });
}

function topOf(bound: ChainBound, path: string, real: string = path): Promise<string | undefined> {
  return bound.topOf({ path, real });
}

test('restricts all sources, or only those that the caller controls', () => {
  const binding = (everyone: boolean): readonly string[] => {
    const bound = createBound([], { platform: 'posix', disk: untouched, everyone });
    return Object.values(allSources).flatMap((source) => (bound.binds(source) ? source.name : []));
  };
  expect(binding(true)).toEqual(Object.keys(allSources));
  expect(binding(false)).toEqual(['argument', 'switched']);
});

test('holds paths in a root, name by name, and none without roots', () => {
  const bound = boundTo(['/app', '/srv/docs'], untouched);
  const paths = ['/app', '/app/src', '/srv/docs/a', '/app-old', '/srv', '/', '/app/../etc'];
  expect(paths.map((path) => bound.holds(path))).toEqual([true, true, true, false, false, false, false]);
  expect(boundTo([], untouched).holds('/')).toBe(false);
  expect(boundTo(['/'], untouched).holds('/etc')).toBe(true);
});

test('does not touch the disk for a place without links on the way', async () => {
  const bound = boundTo(['/app/part', '/app', '/'], untouched);
  expect(await topOf(bound, '/app/part/src')).toBe('/');
  expect(await topOf(boundTo(['/app/part', '/app'], untouched), '/app/part/src')).toBe('/app');
});

test('knows a root under both its paths', async () => {
  using tree = tempTree(['app/src/', 'link => app', 'other/']);
  const bound = boundTo([tree.at('link')]);
  expect(await topOf(bound, tree.at('app/src'))).toBe(tree.at('app'));
  expect(await topOf(bound, tree.at('link/src'), tree.at('app/src'))).toBe(tree.at('app'));
  expect(await topOf(bound, tree.at('other'))).toBeUndefined();
});

test('does not hold a place that only its name puts inside', async () => {
  using tree = tempTree(['app/link => ../other', 'other/']);
  const bound = boundTo([tree.at('app')]);
  expect(bound.holds(tree.at('app/link'))).toBe(true);
  expect(await topOf(bound, tree.at('app/link'), tree.at('other'))).toBeUndefined();
});

test('resolves each root once, however often it is used', async () => {
  const looks: string[] = [];
  const bound = boundTo(['/a', '/b'], { realPath: async (path) => (looks.push(path), path) });
  for (const path of ['/x', '/y', '/a/link']) await topOf(bound, path, '/z');
  expect(looks).toEqual(['/a', '/b']);
});

test('follows the rules of Windows', async () => {
  const disk = { realPath: async (path: string) => path };
  const bound = createBound(['C:\\app', 'C:\\App\\part'], { platform: 'win32', disk, everyone: true });
  expect(bound.holds('c:\\APP\\src')).toBe(true);
  expect(await topOf(bound, 'C:\\App\\part\\src')).toBe('C:\\app');
  expect(await topOf(bound, 'D:\\app')).toBeUndefined();
});
