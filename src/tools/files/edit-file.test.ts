import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { limits } from '../tool/answer-limits.ts';
import { fitsMessage } from '../tool/answer.ts';
import { diffText, editFile } from './edit-file.ts';

const edits = [{ oldText: 'two', newText: '2' }];

test('edits a file and shows the diff', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(editFile, { path: 'a.txt', edits });
  expect(structuredContent['content']).toContain(`--- ${tree.at('app/a.txt')}\toriginal`);
  expect(structuredContent['content']).toContain('-two\n+2\n');
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\n2\n');
});

test('a dry run shows the diff, and only needs read permission', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  const { structuredContent } = await call.run(editFile, { path: 'a.txt', edits, dryRun: true });
  expect(structuredContent['content']).toContain('-two\n+2\n');
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\ntwo\n');
  await expect(call.run(editFile, { path: 'a.txt', edits })).rejects.toMatchObject({ code: 'DENIED' });
});

test('applies all edits or none', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')]);
  const both = [...edits, { oldText: 'nothing', newText: '' }];
  await expect(call.run(editFile, { path: 'a.txt', edits: both })).rejects.toMatchObject({
    code: 'EDIT_NOT_FOUND',
    data: { path: 'a.txt', text: 'nothing' },
  });
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('does not write an unchanged file', async () => {
  using tree = tempTree(['app/a.txt = two']);
  await using call = await openToolCall([tree.at('app')]);
  const before = statSync(tree.at('app/a.txt')).ino;
  await call.run(editFile, { path: 'a.txt', edits: [{ oldText: 'two', newText: 'two' }] });
  expect(statSync(tree.at('app/a.txt')).ino).toBe(before);
});

test('refuses a file that is binary, too large, outside or missing', async () => {
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

test('keeps all concurrent edits of one file', async () => {
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

test('does not lose a write between reading and writing', async () => {
  using tree = tempTree(['app/a.txt = one\ntwo\n']);
  await using call = await openToolCall([tree.at('app')]);
  const editing = call.run(editFile, { path: 'a.txt', edits });
  writeFileSync(tree.at('app/a.txt'), 'one\ntwo\nthree\n');
  await editing;
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('one\n2\nthree\n');
});

test('refuses text that it could not write back unchanged', async () => {
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

test('keeps a byte order mark and line ends', async () => {
  using tree = tempTree(['app/']);
  writeFileSync(tree.at('app/a.txt'), '\uFEFFone\r\ntwo\nthree\r\n');
  await using call = await openToolCall([tree.at('app')]);
  await call.run(editFile, { path: 'a.txt', edits });
  expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('\uFEFFone\r\n2\nthree\r\n');
});

test('cuts a diff that is too long, and still makes the edit', async () => {
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

test('shows what changed', () => {
  expect(diffText('/a.txt', 'one\ntwo\n', 'one\n2\n')).toBe(
    [
      '```diff',
      'Index: /a.txt',
      '='.repeat(67),
      '--- /a.txt\toriginal',
      '+++ /a.txt\tmodified',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+2',
      '```',
      '',
      '',
    ].join('\n'),
  );
});

test('no line can close the code block', () => {
  const [fence] = diffText('/a.md', '`````\n', '`````x\n').split('diff\n');
  expect(fence).toBe('``````');
});

test('compares texts without common lines in time', () => {
  const text = (seed: number): string =>
    Array.from({ length: 60_000 }, (_line, index) => `${(index * seed) % 7_919}`).join('\n');
  const started = performance.now();
  expect(diffText('/a.txt', text(31), text(17))).toContain('--- /a.txt\toriginal');
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('shows a small change in a large text with context and line numbers', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index + 1}`);
  const text = (changed: string): string => `${lines.with(30_000, changed).join('\n')}\n`;
  const around = (first: number): readonly string[] =>
    lines.slice(first, first + 4).map((line) => ` ${line}`);
  expect(diffText('/a', text('old'), text('new')).split('\n').slice(5, -3)).toEqual([
    '@@ -29997,9 +29997,9 @@',
    ...around(29_996),
    '-old',
    '+new',
    ...around(30_001),
  ]);
});

test('shows changes at both ends of a large text', () => {
  const middle = 'x\n'.repeat(200_000);
  expect(diffText('/a', `${middle}a`, `${middle}b`)).toContain('-a\n\\ No newline at end of file\n+b\n');
  expect(diffText('/a', `a\n${middle}`, `b\n${middle}`)).toContain('@@ -1,5 +1,5 @@\n-a\n+b\n x\n');
  expect(diffText('/a', middle, `${middle}${'x\n'.repeat(50)}`)).toContain('+x\n');
  expect(diffText('/a', `\n${middle}`, middle)).toContain('@@ -1,5 +1,4 @@\n-\n x\n');
});

test('shows texts with little in common as removed and added', () => {
  const text = (mark: string): string =>
    Array.from({ length: 1_000 }, (_, index) => `${mark}${index}\n`).join('');
  const shown = diffText('/a', text('a'), text('b'));
  expect(shown).toContain('@@ -1,1000 +1,1000 @@\n-a0\n');
  expect(shown).toContain('-a999\n+b0\n');
});

const mebibyte = 1_048_576;

test.each<[name: string, before: string, after: string]>([
  ['lines without anything in common', 'a\n'.repeat(4 * mebibyte), 'b\n'.repeat(4 * mebibyte)],
  ['lines in another order', numbered(100_000, 7), numbered(100_000, 11)],
  ['fences', '`a\n'.repeat(300_000), '`b\n'.repeat(300_000)],
  ['one line', 'a'.repeat(8 * mebibyte), 'b'.repeat(8 * mebibyte)],
  ['every second line', 'a\nb\n'.repeat(60_000), 'a\nc\n'.repeat(60_000)],
])('compares %s of the largest files quickly', (_name, before, after) => {
  const start = process.cpuUsage();
  diffText('/a', before, after);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});

function numbered(lines: number, step: number): string {
  return Array.from({ length: lines }, (_, index) => `${(index * step) % 100_003}\n`).join('');
}
