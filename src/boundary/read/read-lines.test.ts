import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { type LineBounds, readFirstLines, readTail } from './read-lines.ts';

const chunk = 64 * 1024;
const unbound: LineBounds = {
  limit: Number.POSITIVE_INFINITY,
  signal: undefined,
  overflow: () => new Error('too large'),
};

/** Reads lines of a text through a real file. */
async function lines(read: typeof readFirstLines, content: string, count: number, bounds = unbound) {
  using tree = tempTree();
  writeFileSync(tree.at('f'), content);
  const fd = openSync(tree.at('f'), 'r');
  try {
    return String(await read({ fd, size: Buffer.byteLength(content) }, count, bounds));
  } finally {
    closeSync(fd);
  }
}

/** The definition: a line is what ends with a newline, and what is left at the end. */
function split(content: string): readonly string[] {
  return content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

describe.each([
  ['head', readFirstLines, (all: readonly string[], count: number) => all.slice(0, count)],
  ['tail', readTail, (all: readonly string[], count: number) => all.slice(Math.max(0, all.length - count))],
] as const)('%s', (_name, read, pick) => {
  test.each([
    ['empty', ''],
    ['one line', 'a\n'],
    ['one line without an end', 'a'],
    ['lines with an end', 'a\nb\nc\n'],
    ['lines without an end', 'a\nb\nc'],
    ['empty lines', '\n\n\n'],
    ['an empty line at the end', 'a\n\n'],
    ['an empty line at the start', '\na'],
    ['lines of Windows', 'a\r\nb\r\nc\r\n'],
    ['lines of old Macs, which are one', 'a\rb\rc'],
    ['a line as long as a chunk', `${'x'.repeat(chunk - 1)}\nb\n`],
    ['a line that begins with a chunk', `${'x'.repeat(chunk)}\nb\n`],
    ['a line longer than two chunks', `a\n${'x'.repeat(2 * chunk + 1)}\nb`],
    ['newlines all over a chunk', '\n'.repeat(chunk + 1)],
    ['exactly two chunks', `${'x'.repeat(chunk - 1)}\n`.repeat(2)],
  ])('of a file with %s', async (_what, content) => {
    const all = split(content);
    for (const count of [0, 1, 2, 3, all.length, all.length + 1]) {
      expect(await lines(read, content, count)).toBe(pick(all, count).join(''));
    }
  });

  test('agrees with the definition', async () => {
    const piece = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('', 'a', 'bc', 'ü', 'x\r') },
      {
        weight: 1,
        arbitrary: fc.integer({ min: chunk - 3, max: chunk + 3 }).map((size) => 'y'.repeat(size)),
      },
    );
    const content = fc
      .tuple(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', '\n'))
      .map(([pieces, end]) => pieces.join('\n') + end);
    await fc.assert(
      fc.asyncProperty(content, fc.nat({ max: 14 }), async (given, count) => {
        const found = await lines(read, given, count);
        expect(found === pick(split(given), count).join('')).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('reads no more than needed, however large the file is', async () => {
    using tree = tempTree();
    const size = 2 ** 40;
    const edge = 'first\nsecond\nthird\n';
    const fd = openSync(tree.at('f'), 'w+');
    ftruncateSync(fd, size);
    for (const position of [0, size - edge.length]) writeSync(fd, edge, position);
    expect(String(await read({ fd, size }, 2, unbound))).toBe(pick(split(edge), 2).join(''));
    closeSync(fd);
  });

  test('counts returned bytes, not those that it reads', async () => {
    const bounds = { ...unbound, limit: 2 };
    expect(await lines(read, 'a\nb\n', 1, bounds)).toHaveLength(2);
    await expect(lines(read, 'a\nb\n', 2, bounds)).rejects.toThrow('too large');
    await expect(lines(read, 'x'.repeat(3 * chunk), 1, bounds)).rejects.toThrow('too large');
  });

  test('stops when it is aborted', async () => {
    const bounds = { ...unbound, signal: AbortSignal.abort(new Error('enough')) };
    await expect(lines(read, 'a\nb\n', 1, bounds)).rejects.toThrow('enough');
  });
});
