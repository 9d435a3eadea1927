import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { climb, type ClimbOptions } from './climb.ts';

const anyway: ClimbOptions = { levels: 20, stopAt: undefined, signal: undefined };

test('looks at as many directories as it may, the first one included', async () => {
  using tree = tempTree(['a/b/c/']);
  expect(await directories(tree.path, 'a/b/c', { levels: 3 })).toEqual(['a/b/c', 'a/b', 'a']);
  expect(await directories(tree.path, 'a/b/c', { levels: 1 })).toEqual(['a/b/c']);
  expect(await directories(tree.path, 'a/b/c', { levels: 0 })).toEqual([]);
});

test('ends at the top of the file system', async () => {
  expect(await directories('/', '.', { levels: 20 })).toEqual(['']);
});

test('ends where it is told to', async () => {
  using tree = tempTree(['a/b/c/']);
  expect(await directories(tree.path, 'a/b/c', { levels: 20, stopAt: tree.at('a') })).toEqual([
    'a/b/c',
    'a/b',
    'a',
  ]);
});

test('passes over what cannot be opened', async () => {
  using tree = tempTree(['a/b/c/']);
  const found: string[] = [];
  for await (const { directory } of climb(tree.at('a/b/c'), { ...anyway, levels: 3 })) {
    found.push(relative(tree.path, directory));
    rmSync(tree.at('a/b'), { recursive: true, force: true });
  }
  expect(found).toEqual(['a/b/c', 'a']);
});

test('holds one directory open at a time, and none in the end', async () => {
  using tree = tempTree(['a/b/c/d/']);
  for await (const { directory, boundary } of climb(tree.at('a/b/c/d'), anyway)) {
    expect(openHandles(tree.path)).toEqual([directory]);
    if (boundary.name === 'b') break;
  }
  expect(openHandles(tree.path)).toEqual([]);
});

test('stops when it is told to', async () => {
  using tree = tempTree(['a/']);
  const way = climb(tree.at('a'), { ...anyway, signal: AbortSignal.abort() });
  await expect(way.next()).rejects.toMatchObject({ name: 'AbortError' });
});

async function directories(
  top: string,
  path: string,
  { levels, stopAt }: { readonly levels: number; readonly stopAt?: string },
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { directory } of climb(join(top, path), { levels, stopAt, signal: undefined }))
    found.push(relative(top, directory));
  return found;
}
