import { readFileSync, statSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../testing/open-tool-call.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { editFile } from './edit-file.ts';
import { limits } from './limits.ts';

const edits = [{ oldText: 'two', newText: '2' }];

test('edits a file and shows the difference', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(editFile, { path: 'a.txt', edits });
  expect(structuredContent['content']).toContain(`--- ${tree.at('app/a.txt')}\toriginal`);
  expect(structuredContent['content']).toContain('-two\n+2\n');
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\n2\n');
});

test('only shows it on a dry run, for which reading is enough', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  const { structuredContent } = await call.run(editFile, { path: 'a.txt', edits, dryRun: true });
  expect(structuredContent['content']).toContain('-two\n+2\n');
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\ntwo\n');
  await expect(call.run(editFile, { path: 'a.txt', edits })).rejects.toMatchObject({ code: 'DENIED' });
});

test('all edits or none', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')]);
  const both = [...edits, { oldText: 'nothing', newText: '' }];
  await expect(call.run(editFile, { path: 'a.txt', edits: both })).rejects.toMatchObject({
    code: 'EDIT_NOT_FOUND',
    data: { path: 'a.txt', text: 'nothing' },
  });
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('a file that stays the same is not written', async () => {
  using tree = tempTree(['app/a.txt = two']);
  await using call = await openToolCall([tree.at('app')]);
  const before = statSync(tree.at('app/a.txt')).ino;
  await call.run(editFile, { path: 'a.txt', edits: [{ oldText: 'two', newText: 'two' }] });
  expect(statSync(tree.at('app/a.txt')).ino).toBe(before);
});

test('refuses what is not text, too large, outside or not there', async () => {
  using tree = tempTree(['app/bytes = \0', 'app/large', 'app/leaving => ../secret', 'secret = two']);
  truncateSync(tree.at('app/large'), limits.edit + 1);
  await using call = await openToolCall([tree.at('app')]);
  const edit = (path: string): Promise<unknown> => call.run(editFile, { path, edits });
  await expect(edit('bytes')).rejects.toMatchObject({ code: 'NOT_TEXT' });
  await expect(edit('large')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(edit('leaving')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await expect(edit('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(readFileSync(tree.at('secret'), 'utf8')).toBe('two');
});
