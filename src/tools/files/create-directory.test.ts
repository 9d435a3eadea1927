import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createDirectory } from './create-directory.ts';

test('creates a directory with its parents, also if it exists', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')]);
  for (const path of ['a/b/c', 'a/b/c']) {
    const { structuredContent } = await call.run(createDirectory, { path });
    expect(structuredContent).toEqual({ content: 'Successfully created directory a/b/c' });
  }
  expect(statSync(tree.at('app/a/b/c')).isDirectory()).toBe(true);
});

test('refuses a file in the way, and a path outside', async () => {
  using tree = tempTree(['app/file', 'app/leaving => ../out', 'out/']);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(createDirectory, { path: 'file' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await expect(call.run(createDirectory, { path: 'leaving/x' })).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
  });
  expect(existsSync(tree.at('out/x'))).toBe(false);
});
