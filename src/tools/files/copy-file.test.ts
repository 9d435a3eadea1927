import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { copyFile } from './copy-file.ts';

test('copies within a root and to another', async () => {
  using tree = tempTree(['app/a.txt = A', 'docs/']);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  for (const destination of ['b.txt', tree.at('docs/a.txt')]) {
    const { structuredContent } = await call.run(copyFile, { source: 'a.txt', destination });
    expect(structuredContent).toEqual({ content: `Successfully copied a.txt to ${destination}` });
  }
  expect(readFileSync(tree.at('docs/a.txt'), 'utf8')).toBe('A');
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('A');
});

test('replaces files and creates directories only if asked to', async () => {
  using tree = tempTree(['app/a.txt = A', 'app/b.txt = B']);
  await using call = await openToolCall([tree.at('app')]);
  const copy = (destination: string, more = {}): Promise<unknown> =>
    call.run(copyFile, { source: 'a.txt', destination, ...more });
  await expect(copy('b.txt')).rejects.toMatchObject({ code: 'ALREADY_EXISTS', data: { path: 'b.txt' } });
  await expect(copy('x/y.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await copy('b.txt', { overwrite: true });
  await copy('x/y.txt', { parents: true });
  expect(readFileSync(tree.at('app/b.txt'), 'utf8') + readFileSync(tree.at('app/x/y.txt'), 'utf8')).toBe(
    'AA',
  );
});

test.each([
  ['a directory', 'dir', 'c', 'IS_A_DIRECTORY'],
  ['a pipe', 'pipe', 'c', 'SPECIAL_FILE'],
  ['what is outside', 'leaving', 'c', 'OUTSIDE_ROOTS'],
  ['out of the root', 'a.txt', 'leaving', 'OUTSIDE_ROOTS'],
  ['onto the root', 'a.txt', '.', 'IS_ROOT'],
])('refuses to copy %s', async (_name, source, destination, code) => {
  using tree = tempTree(['app/a.txt', 'app/dir/', 'app/pipe|', 'app/leaving => ../secret', 'secret = S']);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(copyFile, { source, destination, overwrite: true })).rejects.toMatchObject({ code });
  expect(existsSync(tree.at('app/c'))).toBe(false);
  expect(readFileSync(tree.at('secret'), 'utf8')).toBe('S');
});

test('needs permission to read the source and to write the destination', async () => {
  using tree = tempTree(['app/a.txt', 'docs/']);
  const policy = { allow: ['read', 'write'], roots: { docs: { allow: ['read'] } } } as const;
  await using call = await openToolCall([tree.at('app'), tree.at('docs')], { policy });
  const copying = call.run(copyFile, { source: 'a.txt', destination: tree.at('docs/a.txt') });
  await expect(copying).rejects.toMatchObject({ code: 'DENIED', data: { root: 'docs', operation: 'write' } });
});
