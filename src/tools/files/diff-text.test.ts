import { expect, test } from 'vitest';
import { diffText } from './diff-text.ts';

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

test('no line can end the block', () => {
  const [fence] = diffText('/a.md', '`````\n', '`````x\n').split('diff\n');
  expect(fence).toBe('``````');
});

test('texts without anything in common end in time', () => {
  const text = (seed: number): string =>
    Array.from({ length: 60_000 }, (_line, index) => `${(index * seed) % 7_919}`).join('\n');
  const started = performance.now();
  expect(diffText('/a.txt', text(31), text(17))).toContain('--- /a.txt\toriginal');
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a small change in a large text is shown with the lines around it, under their numbers', () => {
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

test('a change at the beginning and at the end of a large text is shown', () => {
  const middle = 'x\n'.repeat(200_000);
  expect(diffText('/a', `${middle}a`, `${middle}b`)).toContain('-a\n\\ No newline at end of file\n+b\n');
  expect(diffText('/a', `a\n${middle}`, `b\n${middle}`)).toContain('@@ -1,5 +1,5 @@\n-a\n+b\n x\n');
  expect(diffText('/a', middle, `${middle}${'x\n'.repeat(50)}`)).toContain('+x\n');
  expect(diffText('/a', `\n${middle}`, middle)).toContain('@@ -1,5 +1,4 @@\n-\n x\n');
});

test('what has too little in common stands as removed and as added', () => {
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
])('compares %s of the largest files in a moment', (_name, before, after) => {
  const start = process.cpuUsage();
  diffText('/a', before, after);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});

function numbered(lines: number, step: number): string {
  return Array.from({ length: lines }, (_, index) => `${(index * step) % 100_003}\n`).join('');
}
