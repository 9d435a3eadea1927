import { expect, test } from 'vitest';
import { openToolCall } from '../testing/open-tool-call.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { labelOf, listDirectory, listingCut } from './list-directory.ts';

test('directories and everything else are told apart', async () => {
  using tree = tempTree(['app/b/', 'app/a.txt', 'app/pipe|', 'app/leaving => ../out', 'app/名.txt']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(listDirectory, { path: '.' });
  expect(structuredContent).toEqual({
    content: '[FILE] a.txt\n[DIR] b\n[FILE] leaving\n[FILE] pipe\n[FILE] 名.txt',
  });
});

test('what a rule denies is not there', async () => {
  using tree = tempTree(['app/.env', 'app/a.txt']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  expect((await call.run(listDirectory, { path: '.' })).structuredContent).toEqual({
    content: '[FILE] a.txt',
  });
});

test('refuses files, pipes and links that leave', async () => {
  using tree = tempTree(['app/a.txt', 'app/pipe|', 'app/leaving => ../out', 'out/']);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(listDirectory, { path: 'a.txt' })).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(call.run(listDirectory, { path: 'pipe' })).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(call.run(listDirectory, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
});

test('words', () => {
  expect(labelOf('directory')).toBe('[DIR]');
  expect(labelOf('link')).toBe('[FILE]');
  expect(listingCut(3)).toContain('after 3 entries');
});
