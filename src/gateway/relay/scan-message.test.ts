import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanObject, valueAt } from './scan-message.ts';

test('finds every field of any JSON object as JSON.parse does, whatever spaces are in it', () => {
  const indents = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), indents, (object, indent) => {
      const text = JSON.stringify(object, undefined, indent);
      const bytes = Buffer.from(`  ${text}\r\n`);
      const expected = Object.entries(JSON.parse(text) as object);
      const found = [...(scanObject(bytes) ?? [])].map(([name, span]) => [name, valueAt(bytes, span)]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    }),
  );
});

test.each([
  ['escaped names', '{"m\\u0065thod":"a"}', { method: 'a' }],
  ['a name twice', '{"id":1,"id":2}', { id: 2 }],
  [
    'long texts with escapes near every border',
    `{"a":"${'x'.repeat(61)}\\"${'\\\\'.repeat(40)}","b":1}`,
    undefined,
  ],
])('reads %s', (_name, text, expected) => {
  const bytes = Buffer.from(text);
  const found = [...(scanObject(bytes) ?? [])].map(([name, span]) => [name, valueAt(bytes, span)]);
  expect(Object.fromEntries(found)).toEqual(expected ?? JSON.parse(text));
});

test.each([
  '',
  'hello',
  '[]',
  '{',
  '{"a"',
  '{"a":',
  '{"a":}',
  '{"a":1',
  '{"a":"x',
  '{"a":[1}',
  '{a:1}',
  '{"a" 1}',
  '{"a":1 "b":2}',
])('%j is no object', (text) => {
  expect(scanObject(Buffer.from(text))).toBeUndefined();
});
