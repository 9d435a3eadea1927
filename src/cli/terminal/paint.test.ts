import { expect, test } from 'vitest';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { createPaint, formatColumns, formatFields } from './paint.ts';

function contextOf(isTTY: boolean, env: Record<string, string> = {}): CliContext {
  const stream = { isTTY, write: () => {} };
  return { process: { stdout: stream, stderr: stream, env }, cwd: '/' };
}

test('uses colours on a terminal, but not in a pipe', () => {
  expect(createPaint(contextOf(true))('red', 'no')).toBe('\u001B[31mno\u001B[0m');
  expect(createPaint(contextOf(false))('red', 'no')).toBe('no');
  expect(createPaint(contextOf(true, { NO_COLOR: '1' }))('red', 'no')).toBe('no');
});

test('aligns values', () => {
  const paint = createPaint(contextOf(false));
  const text = formatFields(
    [
      ['root', 'app'],
      ['rule', 'x'],
      ['because', 'y'],
    ],
    paint,
  );
  expect(text).toBe('root     app\nrule     x\nbecause  y\n');
});

test('aligns columns', () => {
  expect(
    formatColumns(
      [
        ['a', 'bb', 'c'],
        ['aaa', 'b', ''],
      ],
      '  ',
    ),
  ).toBe('  a    bb  c\n  aaa  b\n');
  expect(formatColumns([])).toBe('');
});
