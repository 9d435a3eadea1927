import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { moveFile } from './move-file.ts';

test('moves within a root and to another', async () => {
  using tree = tempTree(['app/a.txt = A', 'docs/']);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  await call.run(moveFile, { source: 'a.txt', destination: 'b.txt' });
  const input = { source: 'b.txt', destination: tree.at('docs/c.txt') };
  const { structuredContent } = await call.run(moveFile, input);
  expect(structuredContent).toEqual({ content: `Successfully moved b.txt to ${tree.at('docs/c.txt')}` });
  expect(readFileSync(tree.at('docs/c.txt'), 'utf8')).toBe('A');
  expect(existsSync(tree.at('app/b.txt'))).toBe(false);
});

test.each([
  ['onto something', 'a.txt', 'b.txt', 'ALREADY_EXISTS'],
  ['out of the roots', 'a.txt', '$/c.txt', 'OUTSIDE_ROOTS'],
  ['out by a link', 'a.txt', 'leaving/c.txt', 'OUTSIDE_ROOTS'],
  ['into the roots', '$/secret', 'c.txt', 'OUTSIDE_ROOTS'],
  ['the root', '.', 'dir/app', 'IS_ROOT'],
  ['a directory into itself', 'dir', 'dir/dir', 'NOT_POSSIBLE'],
  ['nothing', 'no', 'c.txt', 'NOT_FOUND'],
])('refuses to move %s', async (_name, source, destination, code) => {
  using tree = tempTree(['app/a.txt', 'app/b.txt', 'app/dir/', 'app/leaving => ../out', 'out/', 'secret']);
  await using call = await openToolCall([tree.at('app')]);
  const place = (path: string): string => path.replace('$', tree.path);
  const moving = call.run(moveFile, { source: place(source), destination: place(destination) });
  await expect(moving).rejects.toMatchObject({ code });
  expect(existsSync(tree.at('app/a.txt')) && existsSync(tree.at('secret'))).toBe(true);
});

test('does not move a file that must not be read', async () => {
  using tree = tempTree(['app/.env = TOKEN']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'write-in-project' } });
  await expect(call.run(moveFile, { source: '.env', destination: 'env.txt' })).rejects.toMatchObject({
    code: 'DENIED',
  });
});
