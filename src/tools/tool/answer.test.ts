import { expect, test } from 'vitest';
import { limits } from './answer-limits.ts';
import { bytesInMessage, fitsMessage, takeFitting, textOutput, textResult } from './answer.ts';

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
