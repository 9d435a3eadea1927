import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/index.ts';
import { compareLines, mostCompared } from './compare-lines.ts';

const compare = (before: string, after: string) => compareLines(Buffer.from(before), Buffer.from(after));

const numbered = (count: number, name = 'line') =>
  Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('');

const cases: readonly (readonly [name: string, before: string, after: string, lines: string])[] = [
  ['a new text', '', 'a\nb\n', '+2 -0'],
  ['an emptied text', 'a\nb', '', '+0 -2'],
  ['nothing', 'a\nb\n', 'a\nb\n', '+0 -0'],
  ['one line in the middle', 'a\nb\nc\n', 'a\nB\nc\n', '+1 -1'],
  [
    'two distant lines',
    numbered(50),
    numbered(50).replace('line 3\n', 'x\n').replace('line 40\n', ''),
    '+1 -2',
  ],
  ['a repeated line', 'a\na\n', 'a\na\na\n', '+1 -0'],
  ['lines in another order', 'a\nb\nc\n', 'c\na\nb\n', '+1 -1'],
  ['a line break at the end', 'a', 'a\n', '+1 -1'],
  ['everything, 1,000 lines', numbered(1_000), numbered(1_000, 'other'), '+1000 -1000'],
];

test.each(cases)('%s: lines are counted as git does', async (_name, before, after, lines) => {
  using tree = tempTree(['before', 'after']);
  const found = await compare(before, after);
  expect(`+${found?.added} -${found?.removed}`).toBe(lines);
  writeFileSync(tree.at('before'), before);
  writeFileSync(tree.at('after'), after);
  expect(numstat(tree.at('before'), tree.at('after'))).toBe(lines);
});

function numstat(before: string, after: string): string {
  const shown = diffOf(['--minimal', '--numstat', before, after]);
  const [added = '0', removed = '0'] = shown.trim() === '' ? [] : shown.split('\t');
  return `+${added} -${removed}`;
}

/** git ends with 1 where the files differ. */
function diffOf(args: readonly string[]): string {
  const script = 'git diff --no-index "$@" || true';
  return execFileSync('sh', ['-c', script, 'sh', ...args], { encoding: 'utf8' });
}

test('a line whose end changes has changed', async () => {
  expect(await compare('a\r\nb\r\n', 'a\nb\n')).toEqual({ added: 2, removed: 2 });
});

test('beyond 400 changed lines, lines that moved count as unchanged', async () => {
  const old = numbered(2_000).split('\n');
  const turned = [...old.slice(1_000, 2_000), ...old.slice(0, 1_000), ''].join('\n');
  expect(await compare(numbered(2_000), turned)).toEqual({ added: 0, removed: 0 });
});

test('bytes that are not text, and texts that are too large, have no lines', async () => {
  const text = Buffer.from('a\n');
  for (const other of [Buffer.from([0]), Buffer.from([0xff, 0x0a]), Buffer.alloc(mostCompared + 1, 'a')]) {
    expect(await compareLines(text, other)).toBe(undefined);
    expect(await compareLines(other, text)).toBe(undefined);
  }
});
