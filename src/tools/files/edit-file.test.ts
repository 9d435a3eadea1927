import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { fitsMessage } from '../tool/answer-size.ts';
import { editFile } from './edit-file.ts';
import { limits } from '../tool/answer-limits.ts';

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

test('edits of one file at once are all there afterwards', async () => {
  const letters = Array.from('abcdefghijklmnop');
  using tree = tempTree([`app/a.txt = ${letters.join('\n')}\n`, 'app/link => a.txt']);
  await using call = await openToolCall([tree.at('app')]);
  await Promise.all(
    letters.map((letter, index) =>
      call.run(editFile, {
        path: index % 2 === 0 ? 'a.txt' : 'link',
        edits: [{ oldText: letter, newText: letter.toUpperCase() }],
      }),
    ),
  );
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe(`${letters.join('\n').toUpperCase()}\n`);
  expect(readdirSync(tree.at('app'))).toEqual(['a.txt', 'link']);
});

test('what was written between reading and writing is not lost', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')]);
  const editing = call.run(editFile, { path: 'a.txt', edits });
  writeFileSync(tree.at('app/a.txt'), 'one\ntwo\nthree\n');
  await editing;
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\n2\nthree\n');
});

test('refuses text that it could not write back as it was', async () => {
  using tree = tempTree(['app/']);
  const bytes = Buffer.from('caf\u00E9 two\n', 'latin1');
  writeFileSync(tree.at('app/latin.txt'), bytes);
  await using call = await openToolCall([tree.at('app')]);
  for (const dryRun of [true, false])
    await expect(call.run(editFile, { path: 'latin.txt', edits, dryRun })).rejects.toMatchObject({
      code: 'NOT_UTF8',
      data: { path: 'latin.txt' },
    });
  expect(readFileSync(tree.at('app/latin.txt'))).toEqual(bytes);
});

test('a mark at the beginning and the ends of lines stay', async () => {
  using tree = tempTree(['app/']);
  writeFileSync(tree.at('app/a.txt'), '\uFEFFone\r\ntwo\nthree\r\n');
  await using call = await openToolCall([tree.at('app')]);
  await call.run(editFile, { path: 'a.txt', edits });
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('\uFEFFone\r\n2\nthree\r\n');
});

test('a difference that is too long for a message is cut, and the edit is made', async () => {
  using tree = tempTree(['app/']);
  const text = `${'x'.repeat(499_999)}\n`.repeat(6);
  writeFileSync(tree.at('app/a.txt'), text);
  await using call = await openToolCall([tree.at('app')]);
  const result = await call.run(editFile, {
    path: 'a.txt',
    edits: [{ oldText: text, newText: text.replaceAll('x', 'y') }],
  });
  expect(fitsMessage(result)).toBe(true);
  expect(result.structuredContent['more']).toContain('were made');
  expect(readFileSync(tree.at('app/a.txt'), 'utf8') === text.replaceAll('x', 'y')).toBe(true);
});
