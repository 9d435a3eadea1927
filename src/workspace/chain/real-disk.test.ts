import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { realDisk } from './real-disk.ts';

const options = { markers: ['.blue'], levels: 20, markerOnly: true } as const;

test('distinguishes files from directories, through links, and ignores missing and special ones', async () => {
  using tree = tempTree(['f', 'd/', 'l => d', 'p|', 'x => gone']);
  expect(await realDisk.kindOf(tree.at('f'))).toBe('file');
  expect(await realDisk.kindOf(tree.at('d'))).toBe('directory');
  expect(await realDisk.kindOf(tree.at('l'))).toBe('directory');
  for (const name of ['p', 'x', 'nothing']) expect(await realDisk.kindOf(tree.at(name))).toBeUndefined();
});

test('finds a marker, past repositories and manifests', async () => {
  using tree = tempTree(['.blue/', 'repo/.git/HEAD', 'repo/package.json = {}', 'repo/src/']);
  expect(await realDisk.detect(tree.at('repo/src'), options)).toMatchObject({
    location: tree.path,
    kind: 'marker',
    markers: ['.blue'],
  });
});

test('searches for a marker no further than its limit', async () => {
  using tree = tempTree(['.blue/', 'app/src/']);
  const find = (stopAt: string) => realDisk.detect(tree.at('app/src'), { ...options, stopAt });
  expect(await find(tree.at('app'))).toBeUndefined();
  expect(await find(tree.path)).toMatchObject({ location: tree.path });
  const aborted = { ...options, signal: AbortSignal.abort() };
  await expect(realDisk.detect(tree.at('app/src'), aborted)).rejects.toThrow('aborted');
});

test('finds a project by any marker', async () => {
  using tree = tempTree(['.blue/', 'repo/.git/HEAD', 'repo/src/']);
  const detected = await realDisk.detect(tree.at('repo/src'), { ...options, markers: [], markerOnly: false });
  expect(detected).toMatchObject({ location: tree.at('repo'), kind: 'repository' });
});

test('looks from a directory on, and reveals nothing of targets outside', async () => {
  using tree = tempTree([
    'app/src/',
    'app/file',
    'app/in => src',
    'app/out => ../app',
    'app/gone => ../nothing',
  ]);
  const look = (relative: string) => realDisk.lookWithin?.(tree.at('app'), relative);
  expect(await look('.')).toEqual({ kind: 'directory', real: tree.at('app') });
  expect(await look('in')).toEqual({ kind: 'directory', real: tree.at('app/src') });
  expect(await look('file')).toEqual({ kind: 'file', real: tree.at('app/file') });
  expect(await look('nothing')).toBeUndefined();
  for (const name of ['out', 'gone']) expect(await look(name)).toBe('outside');
});
