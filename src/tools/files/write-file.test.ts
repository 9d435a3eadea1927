import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { copyFile } from './copy-file.ts';
import { moveFile } from './move-file.ts';
import { writeFile } from './write-file.ts';

test('writes a new file, and replaces an old one', async () => {
  using tree = tempTree(['app/old.txt = old']);
  await using call = await openToolCall([tree.at('app')]);
  for (const path of ['new.txt', 'old.txt', '名前.txt']) {
    const { structuredContent } = await call.run(writeFile, { path, content: 'text\n' });
    expect(structuredContent).toEqual({ content: `Successfully wrote to ${path}` });
    expect(readFileSync(tree.at('app', path), 'utf8')).toBe('text\n');
  }
  expect(readdirSync(tree.at('app'))).toHaveLength(3);
});

test.each([
  ['the root', '.'],
  ['a directory', 'dir'],
  ['a directory that is missing', 'no/a.txt'],
  ['a link that leaves', 'leaving'],
  ['a place outside', '../new.txt'],
  ['a pipe', 'pipe'],
])('refuses %s, and leaves nothing behind', async (_name, path) => {
  using tree = tempTree(['app/dir/', 'app/pipe|', 'app/leaving => ../secret']);
  await using call = await openToolCall([tree.at('app')]);
  const before = [readdirSync(tree.path), readdirSync(tree.at('app'))];
  await expect(call.run(writeFile, { path, content: 'x' })).rejects.toMatchObject({ data: { path } });
  expect([readdirSync(tree.path), readdirSync(tree.at('app'))]).toEqual(before);
});

test('needs permission to write', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  await expect(call.run(writeFile, { path: 'a', content: '' })).rejects.toMatchObject({ code: 'DENIED' });
});

test('explains how to create a missing directory', async () => {
  using tree = tempTree(['app/a.txt']);
  await using call = await openToolCall([tree.at('app')]);
  const hint = expect.stringContaining('create_directory');
  const refusal = { code: 'NOT_FOUND', data: { path: 'no/b.txt' }, hint };
  const writing = call.run(writeFile, { path: 'no/b.txt', content: '' });
  await expect(writing).rejects.toMatchObject(refusal);
  const moving = call.run(moveFile, { source: 'a.txt', destination: 'no/b.txt' });
  await expect(moving).rejects.toMatchObject(refusal);
  const copying = call.run(copyFile, { source: 'a.txt', destination: 'no/b.txt' });
  await expect(copying).rejects.toMatchObject(refusal);
  const nothing = call.run(copyFile, { source: 'none.txt', destination: 'b.txt' });
  await expect(nothing).rejects.toMatchObject({ hint: expect.not.stringContaining('create_directory') });
});
