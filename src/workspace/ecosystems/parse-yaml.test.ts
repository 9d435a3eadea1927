import { describe, expect, test } from 'vitest';
import { parseYaml } from './parse-yaml.ts';

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

  test('reads what is as deep as anybody writes', async () => {
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
