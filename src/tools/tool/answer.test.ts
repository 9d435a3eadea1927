import { expect, test } from 'vitest';
import { limits } from './answer-limits.ts';
import {
  bytesInMessage,
  fitsMessage,
  takeFitting,
  textOutput,
  textResult,
  formAnswer,
  referenceForm,
  roomIn,
  usualForm,
} from './answer.ts';
import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { listDirectory } from '../files/list-directory.ts';
import { readTextFile } from '../files/read-text-file.ts';
import { findFiles } from '../search/find-files.ts';
import { searchText } from '../search/search-text.ts';
import type { Tool, ToolResult } from './tool.ts';

test('a text is the content and the structured content', () => {
  const result = textResult('hello');
  expect(result).toEqual({
    content: [{ type: 'text', text: 'hello' }],
    structuredContent: { content: 'hello' },
  });
  expect(textOutput.strict().parse(result.structuredContent)).toEqual({ content: 'hello' });
});

test('notes follow the text', () => {
  const { content, structuredContent } = textResult('hel', '[Cut]');
  expect(content.map((block) => block.type === 'text' && block.text)).toEqual(['hel', '[Cut]']);
  expect(structuredContent).toEqual({ content: 'hel', more: '[Cut]' });
});

test('measures a text by its encoded length', () => {
  expect(bytesInMessage('ab')).toBe(4);
  expect(bytesInMessage('"\n\u0001é')).toBe(2 + 2 + 2 + 6 + 2);
});

test('takes as many as fit, from the beginning', () => {
  const items = ['a'.repeat(50), 'b'.repeat(50), 'c'.repeat(50)];
  expect(takeFitting(items)).toBe(items);
  expect(takeFitting(items, 150)).toEqual(items.slice(0, 2));
  expect(takeFitting(items, 10)).toEqual([]);
});

test('counts escaped characters by their encoded size', () => {
  const plain = Array.from({ length: 100 }, () => 'x'.repeat(100));
  const escaped = Array.from({ length: 100 }, () => '\u0001'.repeat(100));
  expect(takeFitting(plain, 20_000)).toHaveLength(100);
  expect(takeFitting(escaped, 20_000)).toHaveLength(32);
});

test('a result fits if its message does, to the byte', () => {
  const half = (limits.message - JSON.stringify(textOf('')).length) / 2;
  expect(fitsMessage(textResult('x'.repeat(Math.floor(half))))).toBe(true);
  expect(fitsMessage(textResult('x'.repeat(Math.floor(half) + 1)))).toBe(false);
  expect(fitsMessage(textResult('"'.repeat(Math.floor(half / 2) + 1)))).toBe(false);
  expect(fitsMessage(textResult('short'))).toBe(true);
  // Each of these takes six bytes instead of one.
  for (const mark of ['\u0001', '\uD800']) {
    const text = `${'x'.repeat(100)}${mark.repeat(limits.message / 8)}`;
    expect(fitsMessage(textResult(text))).toBe(false);
    expect(fitsMessage(textResult('名'.repeat(text.length)))).toBe(true);
  }
});

function textOf(text: string): object {
  const { content, structuredContent } = textResult(text);
  return { content, structuredContent };
}

test('many small values count too', () => {
  const numbers = (length: number): Parameters<typeof fitsMessage>[0] => ({
    content: [],
    structuredContent: { numbers: Array.from({ length }, () => 123_456_789) },
  });
  expect(fitsMessage(numbers(100))).toBe(true);
  expect(fitsMessage(numbers(limits.message / 9))).toBe(false);
});

const line = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0'));
const text = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n'));

test('reading on at the offset that a cut answer names gives the rest, without gap or overlap', async () => {
  using tree = tempTree(['app/']);
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 8, max: 400 }), async (content, room) => {
      writeFileSync(tree.at('app/a.txt'), `start ${content}`);
      await using call = await openToolCall([tree.at('app')], { room });
      let all = '';
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const [part = '', note = ''] = textsIn(await call.run(readTextFile, { path: 'a.txt', offset }));
        expect(part.length).toBeLessThanOrEqual(room);
        all += part;
        offset = offsetIn(note);
      }
      expect(all).toBe(`start ${content}`);
    }),
    { numRuns: 30 },
  );
});

const names = Array.from({ length: 90 }, (_, index) => `file-${String(index).padStart(2, '0')}.txt`);

const pages: readonly (readonly [Tool, Readonly<Record<string, unknown>>])[] = [
  [findFiles, { globs: ['*.txt'] }],
  [searchText, { pattern: 'match', output: 'files' }],
  [searchText, { pattern: 'match' }],
];

test.each(pages)('going on with $name shows every result once', async (tool, input) => {
  using tree = tempTree(names.map((name) => `app/${name} = one match`));
  await using call = await openToolCall([tree.at('app')], { room: 900 });
  const seen: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const answer = textsIn(await call.run(tool, { ...input, offset })).join('\n');
    expect(answer.length).toBeLessThan(1_200);
    seen.push(...(answer.match(/file-\d\d\.txt/g) ?? []));
    offset = offsetIn(answer);
  }
  expect(seen.toSorted()).toEqual(names);
});

test('a listing keeps to the room, and says that there is more', async () => {
  using tree = tempTree(names.map((name) => `app/${name}`));
  await using call = await openToolCall([tree.at('app')], { room: 200 });
  const [shown = '', more] = textsIn(await call.run(listDirectory, { path: '.' }));
  expect(shown.length).toBeLessThanOrEqual(200);
  expect(more).toContain('there are more');
});

function textsIn({ content }: ToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

function offsetIn(note: string): number | undefined {
  const [, offset] = /offset (\d+)/.exec(note) ?? [];
  return offset === undefined ? undefined : Number(offset);
}

test('a text that no tool has cut loses its middle', () => {
  const result = {
    content: [{ type: 'text', text: `${'a'.repeat(900)}end` }],
    structuredContent: {},
  } as const;
  const form = { ...usualForm, maxAnswer: 300 };
  const { content } = formAnswer(listDirectory, {}, { result, form });
  const [shown = ''] = textsIn({ content, structuredContent: {} });
  expect(shown.length).toBeLessThanOrEqual(300);
  expect(shown).toMatch(/^a+\n\[Cut: 703 characters are left out here\. .*\]\na+end$/);
  expect(formAnswer(listDirectory, {}, { result, form: referenceForm })).toEqual(result);
});

test('leaves room for the note that says how to go on', () => {
  expect(roomIn({ ...usualForm, maxAnswer: 12_000 })).toBe(10_800);
});
