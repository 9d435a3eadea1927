import { describe, expect, test } from 'vitest';
import { parseJson, parseToml, parseYaml } from './parse-data.ts';

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

  test('reads any number of brackets in texts, and values as deep as real files have', async () => {
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

describe('parseToml', () => {
  test.each([
    ['[package]\nname = "x"\n', { package: { name: 'x' } }],
    ["a.b = 'x'\r\n[c]\r\n", { a: { b: 'x' }, c: {} }],
    ['', {}],
  ])('reads %j', async (text, value) => {
    expect(await parseToml(text)).toEqual({ value });
  });

  test.each([
    ['a = \n', /^line 1, column \d+: [^\n]+$/],
    ['[a]\nb = 1\nb = 2', /^line 3, column \d+: [^\n]+$/],
    ['[package', /^line 1, column \d+: [^\n]+$/],
    [`a = ${'['.repeat(100_000)}`, /^line 1, column \d+: [^\n]*nested/],
  ])('says what is wrong: %#', async (text, fault) => {
    expect(await parseToml(text)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('changes nothing but the value with __proto__', async () => {
    const parsed = await parseToml('[__proto__]\nname = "x"\n[constructor.prototype]\nname = "x"');
    expect('value' in parsed && Object.hasOwn(Object(parsed.value), 'name')).toBe(false);
    expect({}).not.toHaveProperty('name');
  });

  test('refuses a key of very many parts, and reads values of any', async () => {
    expect(await parseToml(`${'a.'.repeat(60_000)}b = 1`)).toEqual({
      fault: 'a key in it has more than 64 parts',
    });
    expect(await parseToml(`[${'a.'.repeat(60_000)}b]`)).toEqual({
      fault: 'a key in it has more than 64 parts',
    });
    expect(await parseToml(`a.b.c = "${'a.'.repeat(100)}"`)).toHaveProperty('value');
  });
});

describe('parseYaml', () => {
  test.each([
    ['name: app\nversion: 1.0.0\n', { name: 'app', version: '1.0.0' }],
    ["packages:\r\n  - 'a/*'\r\n  - '!b'\r\n", { packages: ['a/*', '!b'] }],
    ['a: &x 1\nb: *x', { a: 1, b: 1 }],
    ['a: 1\na: 2', { a: 2 }],
    ['# nothing', null],
    ['', null],
    ['text', 'text'],
  ])('reads %j', async (text, value) => {
    expect(await parseYaml(text)).toEqual({ value });
  });

  test.each([
    ['a: [1', /^line 1, column \d+: /],
    ['a: 1\n\tb: 2', /^line 2, column \d+: /],
    ['a: "x', /^line 1, column \d+: /],
    ['a: 1\n---\nb: 2', /^line 2, column 1: one document is expected$/],
  ])('says what is wrong with %j', async (text, fault) => {
    expect(await parseYaml(text)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('reads values as deep as real files have', async () => {
    const parsed = await parseYaml(`${'['.repeat(60)}1${']'.repeat(60)}`);
    expect(parsed).toHaveProperty('value');
  });

  test.each(['[', '{', '[{', '- ', '? ', '- ? ', 'a: ', ': ', '<<: '])(
    'survives %j without end, which ends a process that parses it',
    async (text) => {
      expect(await parseYaml(text.repeat(5_000))).toEqual({
        fault: expect.stringMatching(/^it (?:is nested more than 64 levels deep|takes too long to parse)$/),
      });
    },
  );

  test.each([',', '!a ', '&a ', ']', '- @\n', '"\n', 'a:\n', '#\n', '%a\n'])(
    'takes a bearable time for %j, over and over',
    async (text) => {
      const start = performance.now();
      await parseYaml(`[${text.repeat(16_000 / text.length)}`);
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );

  test('refuses aliases that lead nowhere', async () => {
    await expect(parseYaml('a: *none')).rejects.toThrow('Unresolved alias');
  });

  test('refuses aliases that multiply', async () => {
    const lines = ['a0: &a0 [x, x]', ...Array.from({ length: 30 }, (_, index) => bomb(index))];
    await expect(parseYaml(lines.join('\n'))).rejects.toThrow('Excessive alias count');
  });

  test('changes nothing but the value with __proto__', async () => {
    const parsed = await parseYaml('__proto__:\n  name: x\n');
    expect('value' in parsed && Object.hasOwn(Object(parsed.value), 'name')).toBe(false);
    expect({}).not.toHaveProperty('name');
  });
});

function bomb(index: number): string {
  return `a${index + 1}: &a${index + 1} [*a${index}, *a${index}, *a${index}]`;
}
