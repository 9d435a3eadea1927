import { describe, expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

describe('parseJson', () => {
  test.each([
    ['{"a": [1, "x", null]}', { a: [1, 'x', null] }],
    ['// first\n{"a": 1, /* second */ }', { a: 1 }],
    ['{\r\n  "a": 1,\r\n}\r\n', { a: 1 }],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['[1,]', [1]],
  ])('reads %j', async (text, value) => {
    expect(await parseJson(text)).toEqual({ value });
  });

  test.each([
    ['', 'line 1, column 1: value expected'],
    ['{', 'line 1, column 2: close brace expected'],
    ['{\n  "a" 1\n}', 'line 2, column 7: colon expected'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: comma expected'],
    ['{"a": 1}}', 'line 1, column 9: end of file expected'],
    ['<<<<<<< HEAD\n{}', 'line 1, column 1: invalid symbol'],
    ['{"a": "x\ny"}', 'line 1, column 7: unexpected end of string'],
  ])('says what is wrong with %j', async (text, fault) => {
    expect(await parseJson(text)).toEqual({ fault });
  });

  test('reads brackets in texts, however many, and values as deep as anybody writes', async () => {
    const text = JSON.stringify({ a: `${'['.repeat(5_000)}\\"${'{'.repeat(5_000)}\\` });
    expect(await parseJson(text)).toEqual({ value: JSON.parse(text) });
    const deep = `${'['.repeat(900)}${']'.repeat(900)}`;
    expect(await parseJson(deep)).toEqual({ value: JSON.parse(deep) });
  });

  test.each(['[', '{"a":', '//\n['])('refuses %j without end', async (text) => {
    const parsed = await parseJson(text.repeat(150_000));
    expect(parsed).toEqual({ fault: 'it is nested more than 1000 levels deep' });
  });

  test('looks for no comments in what is very long', async () => {
    expect(await parseJson(`[${','.repeat(300_000)}`)).toEqual({
      fault: 'it is not JSON, and longer than 262144 characters, so that no comments are looked for',
    });
  });

  test.each(['{"__proto__": {"name": "x"}}', '{"__proto__": {"name": "x"},}'])(
    'changes nothing but the value with %s',
    async (text) => {
      const parsed = await parseJson(text);
      expect('value' in parsed && Object.hasOwn(Object(parsed.value), 'name')).toBe(false);
      expect({}).not.toHaveProperty('name');
    },
  );
});
