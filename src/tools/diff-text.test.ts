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
