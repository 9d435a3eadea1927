import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { removeFile } from './remove-file.ts';

test('removes a file, an empty directory and a link, but not its target', async () => {
  using tree = tempTree(['app/a.txt', 'app/empty/', 'app/leaving => ../secret', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  for (const path of ['a.txt', 'empty', 'leaving']) {
    const { structuredContent } = await call.run(removeFile, { path });
    expect(structuredContent).toEqual({ content: `Successfully removed ${path}` });
  }
  expect(existsSync(tree.at('secret'))).toBe(true);
  expect(existsSync(tree.at('app/a.txt'))).toBe(false);
});

test('removes a directory with its content only if asked to', async () => {
  using tree = tempTree(['app/dir/a/b.txt']);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(removeFile, { path: 'dir' })).rejects.toMatchObject({ code: 'NOT_EMPTY' });
  await call.run(removeFile, { path: 'dir', recursive: true });
  expect(existsSync(tree.at('app/dir'))).toBe(false);
});

test('refuses the root, paths outside, and protected ones', async () => {
  using tree = tempTree(['app/.git/config', 'app/a', 'secret']);
  const policy = { allow: ['read', 'list', 'remove'] } as const;
  await using call = await openToolCall([tree.at('app')], { policy });
  const remove = (path: string): Promise<unknown> => call.run(removeFile, { path, recursive: true });
  await expect(call.run(removeFile, { path: '.' })).rejects.toMatchObject({ code: 'IS_ROOT' });
  await expect(remove('../secret')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await expect(remove('.git')).rejects.toMatchObject({ code: 'DENIED' });
  expect(existsSync(tree.at('app/.git/config')) && existsSync(tree.at('secret'))).toBe(true);
});

test('is not allowed by default', async () => {
  using tree = tempTree(['app/a']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'write-in-project' } });
  await expect(call.run(removeFile, { path: 'a' })).rejects.toMatchObject({ code: 'DENIED' });
});
