import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { longestLine } from './entry.ts';
import { LogTail } from './log-tail.ts';

const pieceSize = 128 * 1024;

describe('a tail', () => {
  test('reads complete lines once, and the last one when it is complete', async () => {
    using tree = tempTree(['log = a\nb\nc']);
    await withTail(tree, async (tail) => {
      expect(await rest(tail)).toEqual(['a', 'b']);
      expect(await tail.hasRest()).toBe(true);
      appendFileSync(tree.at('log'), 'c\n\nd\n');
      expect(await rest(tail)).toEqual(['cc', '', 'd']);
      expect(await tail.hasRest()).toBe(false);
      expect(await rest(tail)).toEqual([]);
    });
  });

  test('reads nothing from an empty file', async () => {
    using tree = tempTree(['log = ']);
    await withTail(tree, async (tail) => expect(await rest(tail)).toEqual([]));
  });

  test('puts no line together wrongly where its pieces meet', async () => {
    using tree = tempTree();
    const lines = Array.from({ length: 20_000 }, (_, line) => `${line} ${'é'.repeat(line % 40)}`);
    writeFileSync(tree.at('log'), `${lines.join('\n')}\n`);
    await withTail(tree, async (tail) => expect(await rest(tail)).toEqual(lines));
  });

  test.each([pieceSize - 1, pieceSize, pieceSize + 1])(
    'meets a line break at byte %d like any other',
    async (length) => {
      using tree = tempTree();
      const line = 'x'.repeat(length - longestLine - 1);
      const next = 'y'.repeat(longestLine - 1);
      writeFileSync(tree.at('log'), `${line}\n${next}\nz\n`);
      await withTail(tree, async (tail) => expect(await rest(tail)).toEqual([line, next, 'z']));
    },
  );

  test('can hold the longest line of ours in one piece', () => {
    expect(longestLine).toBeLessThan(pieceSize);
  });

  test.each([1, 2, 3.5])('counts an endless line of %d pieces once, and drops it', async (pieces) => {
    using tree = tempTree();
    writeFileSync(tree.at('log'), `a\n${'x'.repeat(pieces * pieceSize)}\nb\n`);
    await withTail(tree, async (tail) => {
      const lines = await rest(tail);
      expect(lines.filter((line) => line.length < 10)).toEqual(['a', '…', 'b']);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(pieceSize);
    });
  });

  test('begins again in a file that was emptied', async () => {
    using tree = tempTree(['log = a\nb\n']);
    await withTail(tree, async (tail) => {
      await rest(tail);
      truncateSync(tree.at('log'));
      tail.restartIfShorter(0);
      appendFileSync(tree.at('log'), 'c\n');
      tail.restartIfShorter(2);
      expect(await rest(tail)).toEqual(['c']);
    });
  });
});

async function withTail(tree: TempTree, use: (tail: LogTail) => Promise<void>): Promise<void> {
  await using boundary = await openBoundary(tree.path);
  const tail = new LogTail(await boundary.open('log'));
  try {
    await use(tail);
  } finally {
    await tail.close();
  }
}

async function rest(tail: LogTail): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const piece of tail.pieces()) lines.push(...piece);
  return lines;
}
