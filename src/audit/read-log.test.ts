import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import type { Boundary } from '../boundary/boundary.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { type AuditEntry, formatEntry, longestLine } from './entry.ts';
import { openFileSink } from './file-sink.ts';
import { LogTail, readLog, type ReadLogOptions } from './read-log.ts';

describe('a log', () => {
  test('is read from its oldest file to the current one', async () => {
    using tree = tempTree(['other.1.jsonl', 'audit.4.jsonl/']);
    put(tree, 'audit.jsonl', lines('e', 'f'));
    put(tree, 'audit.10.jsonl', lines('d'));
    put(tree, 'audit.9.jsonl', lines('b', 'c'));
    put(tree, 'audit.3.jsonl', lines('a'));
    expect(await read(tree)).toEqual({ paths: ['a', 'b', 'c', 'd', 'e', 'f'], skipped: 0 });
  });

  test('that does not exist has no entries', async () => {
    using tree = tempTree();
    expect(await read(tree)).toEqual({ paths: [], skipped: 0 });
  });

  test('has the name that was given to its sink', async () => {
    using tree = tempTree();
    put(tree, 'my.1.log', lines('a'));
    put(tree, 'my.log', lines('b'));
    expect(await read(tree, { name: 'my.log' })).toMatchObject({ paths: ['a', 'b'] });
  });

  test('gives whole entries', async () => {
    using tree = tempTree();
    const entry = sampleEntry({ reason: 'it may', code: 'NOT_FOUND', outcome: 'failed' });
    put(tree, 'audit.jsonl', `${formatEntry(entry)}\n`);
    await using boundary = await openBoundary(tree.path);
    for await (const found of readLog(boundary)) expect(found).toEqual(entry);
    expect.assertions(1);
  });

  test('can be limited to recent entries', async () => {
    using tree = tempTree();
    const times = ['2025-06-01T12:00:00.000Z', '2025-06-01T12:00:00.001Z', '2026-01-01T00:00:00.000Z'];
    put(tree, 'audit.jsonl', times.map((time) => lineOf({ path: time, time })).join(''));
    const since = new Date('2025-06-01T12:00:00.001Z');
    expect((await read(tree, { since })).paths).toEqual(times.slice(1));
  });
});

describe('a line without an entry', () => {
  test('is skipped and counted, wherever it is', async () => {
    using tree = tempTree();
    put(tree, 'audit.1.jsonl', `hello\n${lines('a')}{"time":"2025-\n`);
    put(tree, 'audit.jsonl', `${lines('b')}{}\n${lines('c')}`);
    expect(await read(tree)).toEqual({ paths: ['a', 'b', 'c'], skipped: 3 });
  });

  test('does not count if it is empty', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', `\n\n${lines('a')}${' '.repeat(4_095)}\n${lines('b')}\n`);
    expect(await read(tree)).toEqual({ paths: ['a', 'b'], skipped: 0 });
  });

  test('does not hide the entry that was written right behind it', async () => {
    using tree = tempTree();
    const whole = lines('b');
    for (let length = 1; length < whole.length - 1; length += 7) {
      writeFileSync(tree.at('audit.jsonl'), lines('a') + whole.slice(0, length) + lines('c'));
      expect(await read(tree)).toEqual({ paths: ['a', 'c'], skipped: 1 });
    }
  });

  test('counts at the end of a file too', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a') + lines('b').slice(0, -1));
    expect(await read(tree)).toEqual({ paths: ['a'], skipped: 1 });
  });

  test('may be overlong, or not even text', async () => {
    using tree = tempTree();
    const noise = Buffer.alloc(1_000_000, 0xff);
    put(tree, 'audit.jsonl', Buffer.concat([Buffer.from(lines('a')), noise, Buffer.from(`\n${lines('b')}`)]));
    expect(await read(tree)).toEqual({ paths: ['a', 'b'], skipped: 1 });
  });
});

describe('following', () => {
  test('continues with new entries, and ends with the signal', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a'));
    await using log = await follow(tree);
    expect(await log.next()).toBe('a');
    for (const path of ['b', 'c']) {
      const waiting = log.next();
      put(tree, 'audit.jsonl', lines(path));
      expect(await waiting).toBe(path);
    }
    const waiting = log.next();
    log.stop.abort();
    expect(await waiting).toBeUndefined();
    expect(openHandles(tree.path)).toEqual([tree.path]);
  });

  test('waits for a log that does not exist yet', async () => {
    using tree = tempTree();
    await using log = await follow(tree);
    const waiting = log.next();
    put(tree, 'audit.jsonl', lines('a'));
    expect(await waiting).toBe('a');
  });

  test('waits for the end of a line', async () => {
    using tree = tempTree();
    await using log = await follow(tree);
    const line = lines('a');
    const waiting = log.next();
    put(tree, 'audit.jsonl', line.slice(0, 20));
    put(tree, 'audit.2.jsonl', lines('early'));
    expect(await waiting).toBe('early');
    put(tree, 'audit.jsonl', line.slice(20));
    expect(await log.next()).toBe('a');
  });

  test('continues in the new file after a rotation, and sees a late line in the old one', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a'));
    await using log = await follow(tree);
    expect(await log.next()).toBe('a');
    put(tree, 'audit.jsonl', lines('b'));
    renameSync(tree.at('audit.jsonl'), tree.at('audit.1.jsonl'));
    put(tree, 'audit.jsonl', lines('c'));
    expect([await log.next(), await log.next()]).toEqual(['b', 'c']);
    put(tree, 'audit.1.jsonl', lines('late'));
    expect(await log.next()).toBe('late');
  });

  test('handles several rotations at once in their order', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a'));
    await using log = await follow(tree);
    expect(await log.next()).toBe('a');
    for (const number of [1, 2, 3, 4]) {
      put(tree, 'audit.jsonl', lines(`in ${number}`));
      renameSync(tree.at('audit.jsonl'), tree.at(`audit.${number}.jsonl`));
    }
    put(tree, 'audit.jsonl', lines('z'));
    const next = [];
    for (let count = 0; count < 5; count += 1) next.push(await log.next());
    expect(next).toEqual(['in 1', 'in 2', 'in 3', 'in 4', 'z']);
  });

  test('reads a file to its end that was removed meanwhile', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a'));
    await using log = await follow(tree);
    expect(await log.next()).toBe('a');
    put(tree, 'audit.jsonl', lines('b'));
    rmSync(tree.at('audit.jsonl'));
    put(tree, 'audit.jsonl', lines('c'));
    expect([await log.next(), await log.next()]).toEqual(['b', 'c']);
    expect(openHandles(tree.path).filter((path) => path.endsWith('(deleted)'))).toEqual([]);
  });

  test('begins again in a file that was emptied', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a', 'b'));
    await using log = await follow(tree);
    expect([await log.next(), await log.next()]).toEqual(['a', 'b']);
    truncateSync(tree.at('audit.jsonl'));
    put(tree, 'audit.jsonl', lines('c'));
    expect(await log.next()).toBe('c');
  });

  test('works without events of the system', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    vi.spyOn(boundary, 'watch').mockImplementation(() => {
      throw new Error('ENOSPC');
    });
    await using log = followIn(boundary);
    const waiting = log.next();
    put(tree, 'audit.jsonl', lines('a'));
    expect(await waiting).toBe('a');
  });

  test('ends when the boundary is closed', async () => {
    using tree = tempTree();
    const boundary = await openBoundary(tree.path);
    await using log = followIn(boundary);
    const waiting = log.next();
    await boundary.close();
    expect(await waiting).toBeUndefined();
  });

  test('sees what a sink records, rotations and all', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const sink = await openFileSink(boundary, { maxBytes: 600, keep: 100 });
    await using log = followIn(boundary);
    const paths = Array.from({ length: 50 }, (_, number) => String(number));
    const seen = [];
    for (const path of paths) {
      await sink.record(sampleEntry({ path }));
      seen.push(await log.next());
    }
    await sink.close();
    expect(seen).toEqual(paths);
  });
});

describe('the loop', () => {
  test('can be left early, and leaves nothing open', async () => {
    using tree = tempTree();
    put(tree, 'audit.1.jsonl', lines('a', 'b'));
    put(tree, 'audit.jsonl', lines('c'));
    await using boundary = await openBoundary(tree.path);
    for (const options of [{}, { follow: true }]) {
      for await (const { path } of readLog(boundary, options)) if (path === 'a') break;
      expect(openHandles(tree.path)).toEqual([tree.path]);
    }
  });

  test('ends at an abort within it', async () => {
    using tree = tempTree();
    put(tree, 'audit.jsonl', lines('a', 'b', 'c'));
    await using boundary = await openBoundary(tree.path);
    for (const options of [{}, { follow: true }]) {
      const stop = new AbortController();
      const paths: string[] = [];
      for await (const { path } of readLog(boundary, { ...options, signal: stop.signal })) {
        paths.push(path);
        if (path === 'b') stop.abort();
      }
      expect(paths).toEqual(['a', 'b']);
    }
  });

  test('throws if the log cannot be read', async () => {
    using tree = tempTree(['audit.jsonl/']);
    await using boundary = await openBoundary(tree.path);
    const iterator = readLog(boundary)[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
    expect(openHandles(tree.path)).toEqual([tree.path]);
  });
});

test('a large log takes little memory', async () => {
  using tree = tempTree();
  const piece = lines(...Array.from({ length: 1_000 }, (_, number) => String(number)));
  writeFileSync(tree.at('audit.jsonl'), '');
  for (let count = 0; count < 200; count += 1) put(tree, 'audit.jsonl', piece);
  await using boundary = await openBoundary(tree.path);
  const before = process.memoryUsage().arrayBuffers;
  let [entries, most] = [0, 0];
  for await (const _ of readLog(boundary)) {
    entries += 1;
    if (entries % 1_000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(entries).toBe(200_000);
  // The whole file has more than 30 MB; pieces that wait for the collector take their time.
  expect(most).toBeLessThan(20_000_000);
});

function lineOf(changes: Partial<AuditEntry>): string {
  return `${formatEntry(sampleEntry(changes))}\n`;
}

function lines(...paths: readonly string[]): string {
  return paths.map((path) => lineOf({ path })).join('');
}

function put(tree: TempTree, name: string, data: string | Buffer): void {
  appendFileSync(tree.at(name), data);
}

async function read(
  tree: TempTree,
  options: ReadLogOptions = {},
): Promise<{ paths: readonly string[]; skipped: number }> {
  await using boundary = await openBoundary(tree.path);
  const log = readLog(boundary, options);
  const paths: string[] = [];
  for await (const { path } of log) paths.push(path);
  return { paths, skipped: log.skipped };
}

interface Follower extends AsyncDisposable {
  readonly stop: AbortController;
  /** The path of the next entry; `undefined` at the end. */
  next(): Promise<string | undefined>;
}

async function follow(tree: TempTree): Promise<Follower> {
  const boundary = await openBoundary(tree.path);
  const follower = followIn(boundary);
  return {
    ...follower,
    async [Symbol.asyncDispose]() {
      await follower[Symbol.asyncDispose]();
      await boundary.close();
    },
  };
}

function followIn(boundary: Boundary): Follower {
  const stop = new AbortController();
  const entries = readLog(boundary, { follow: true, signal: stop.signal })[Symbol.asyncIterator]();
  return {
    stop,
    async next() {
      const { value, done } = await entries.next();
      return done === true ? undefined : value.path;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await entries.return?.();
    },
  };
}

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

  test('joins lines correctly across pieces', async () => {
    using tree = tempTree();
    const lines = Array.from({ length: 20_000 }, (_, line) => `${line} ${'é'.repeat(line % 40)}`);
    writeFileSync(tree.at('log'), `${lines.join('\n')}\n`);
    await withTail(tree, async (tail) => expect(await rest(tail)).toEqual(lines));
  });

  test.each([pieceSize - 1, pieceSize, pieceSize + 1])('handles a line break at byte %d', async (length) => {
    using tree = tempTree();
    const line = 'x'.repeat(length - longestLine - 1);
    const next = 'y'.repeat(longestLine - 1);
    writeFileSync(tree.at('log'), `${line}\n${next}\nz\n`);
    await withTail(tree, async (tail) => expect(await rest(tail)).toEqual([line, next, 'z']));
  });

  test('holds the longest audit line in one piece', () => {
    expect(longestLine).toBeLessThan(pieceSize);
  });

  test.each([1, 2, 3.5])('counts an overlong line of %d pieces once, and drops it', async (pieces) => {
    using tree = tempTree();
    writeFileSync(tree.at('log'), `a\n${'x'.repeat(pieces * pieceSize)}\nb\n`);
    await withTail(tree, async (tail) => {
      const lines = await rest(tail);
      expect(lines.filter((line) => line.length < 10)).toEqual(['a', '…', 'b']);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(pieceSize);
    });
  });

  test('restarts in a file that was truncated', async () => {
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

test('lines that were written before sessions had names are read as ever', async () => {
  using tree = tempTree();
  const old = readFileSync(new URL('../../test/data/audit-before-sessions.jsonl', import.meta.url), 'utf8');
  put(tree, 'audit.jsonl', old + lines('new'));
  await using boundary = await openBoundary(tree.path);
  const log = readLog(boundary);
  const found: AuditEntry[] = [];
  for await (const entry of log) found.push(entry);
  expect(log.skipped).toBe(0);
  const known = old
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry);
  expect(found.slice(0, -1)).toEqual(known);
  expect(found.at(-1)?.path).toBe('new');
});
