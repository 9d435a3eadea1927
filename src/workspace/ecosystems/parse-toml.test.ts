import { describe, expect, test } from 'vitest';
import { parseToml } from './parse-toml.ts';

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
