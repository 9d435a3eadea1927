import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Boundary } from '../boundary/boundary.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import type { LogFile } from '../boundary/write/log-file.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { findRotated, rotatedName, rotatedNumber, rotateLog } from './rotate-log.ts';

const name = 'audit.jsonl';

describe('a full log', () => {
  test('gets the next number, and frees its name', async () => {
    using tree = tempTree(['audit.jsonl = new', 'audit.2.jsonl = old', 'audit.10.jsonl = newer']);
    await withLog(tree, (boundary, log) => rotateLog(boundary, { name, log, keep: 5 }));
    expect(files(tree)).toEqual({
      'audit.2.jsonl': 'old',
      'audit.10.jsonl': 'newer',
      'audit.11.jsonl': 'new',
    });
  });

  test('stays open for processes that hold it', async () => {
    using tree = tempTree(['audit.jsonl = a']);
    await withLog(tree, async (boundary, log) => {
      await rotateLog(boundary, { name, log, keep: 5 });
      log.append('b');
    });
    expect(files(tree)).toEqual({ 'audit.1.jsonl': 'ab' });
  });

  test('removes the oldest files beyond the limit', async () => {
    using tree = tempTree([
      'audit.jsonl',
      'audit.1.jsonl',
      'audit.2.jsonl',
      'audit.9.jsonl',
      'other.1.jsonl',
    ]);
    await withLog(tree, (boundary, log) => rotateLog(boundary, { name, log, keep: 2 }));
    expect(Object.keys(files(tree))).toEqual(['audit.10.jsonl', 'audit.9.jsonl', 'other.1.jsonl']);
  });

  test('is left alone if its name leads to another file by now', async () => {
    using tree = tempTree(['audit.jsonl = full']);
    await withLog(tree, async (boundary, log) => {
      renameSync(tree.at(name), tree.at('audit.1.jsonl'));
      writeFileSync(tree.at(name), 'fresh');
      await rotateLog(boundary, { name, log, keep: 1 });
    });
    expect(files(tree)).toEqual({ 'audit.1.jsonl': 'full', 'audit.jsonl': 'fresh' });
  });

  test('is rotated once if many processes try at the same time', async () => {
    using tree = tempTree(['audit.jsonl = full']);
    await withLog(tree, async (boundary, log) => {
      await Promise.all(Array.from({ length: 20 }, () => rotateLog(boundary, { name, log, keep: 50 })));
    });
    expect(files(tree)).toEqual({ 'audit.1.jsonl': 'full' });
  });
});

describe('a reserved number', () => {
  test('keeps other processes from rotating while it is recent', async () => {
    using tree = tempTree(['audit.jsonl = full', 'audit.1.jsonl = ']);
    await withLog(tree, (boundary, log) => rotateLog(boundary, { name, log, keep: 5 }));
    expect(files(tree)).toEqual({ 'audit.jsonl': 'full', 'audit.1.jsonl': '' });
  });

  test.each([
    ['long ago', -60],
    ['by a clock that is ahead', 3_600],
  ])('is ignored if it was made %s', async (_when, seconds) => {
    using tree = tempTree(['audit.jsonl = full', 'audit.1.jsonl = ']);
    const then = Date.now() / 1_000 + seconds;
    utimesSync(tree.at('audit.1.jsonl'), then, then);
    await withLog(tree, (boundary, log) => rotateLog(boundary, { name, log, keep: 5 }));
    expect(files(tree)).toEqual({ 'audit.1.jsonl': '', 'audit.2.jsonl': 'full' });
  });

  test('is given back if the log cannot be renamed', async () => {
    using tree = tempTree(['audit.jsonl = full']);
    await withLog(tree, async (boundary, log) => {
      // As if the name had changed its meaning between the look and the rename.
      const lying: LogFile = { ...bind(log), isCurrent: () => true };
      renameSync(tree.at(name), tree.at('elsewhere'));
      await rotateLog(boundary, { name, log: lying, keep: 5 });
      mkdirSync(tree.at(name));
      const rotated = rotateLog(boundary, { name, log: lying, keep: 5 });
      await expect(rotated).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
      rmdirSync(tree.at(name));
    });
    expect(files(tree)).toEqual({ elsewhere: 'full' });
  });

  // Two processes once held two numbers, because the first of them saw a third one give its number back.
  test('that was given back a moment ago still keeps other processes from rotating', async () => {
    using tree = tempTree(['audit.jsonl = full', 'audit.1.jsonl = ']);
    await withLog(tree, async (boundary, log) => {
      const rotated = rotateLog(boundary, { name, log, keep: 5 });
      // It has listed the directory by now, and not looked at the file yet.
      rmSync(tree.at('audit.1.jsonl'));
      await rotated;
    });
    expect(files(tree)).toEqual({ 'audit.jsonl': 'full' });
  });
});

test('numbers are sorted as numbers, not as text', async () => {
  using tree = tempTree([
    'audit.jsonl',
    'audit.10.jsonl',
    'audit.9.jsonl',
    'audit.x.jsonl',
    'audit.1.jsonl',
    'audit.2.jsonl/',
  ]);
  await using boundary = await openBoundary(tree.path);
  expect(await findRotated(boundary, name)).toEqual([1, 9, 10]);
});

async function withLog(
  tree: TempTree,
  use: (boundary: Boundary, log: LogFile) => Promise<void>,
): Promise<void> {
  await using boundary = await openBoundary(tree.path);
  const log = boundary.openLog(name);
  try {
    await use(boundary, log);
  } finally {
    log.close();
  }
}

function bind(log: LogFile): LogFile {
  return {
    append: (data) => log.append(data),
    isCurrent: () => log.isCurrent(),
    isRemoved: () => log.isRemoved(),
    hasRoom: (bytes) => log.hasRoom(bytes),
    flush: () => log.flush(),
    close: () => log.close(),
  };
}

function files(tree: TempTree): Readonly<Record<string, string>> {
  const names = readdirSync(tree.path).toSorted();
  return Object.fromEntries(names.map((file) => [file, readFileSync(tree.at(file), 'utf8')]));
}

describe('the name of a full file', () => {
  test.each([
    ['audit.jsonl', 1, 'audit.1.jsonl'],
    ['audit.jsonl', 120, 'audit.120.jsonl'],
    ['audit', 2, 'audit.2'],
    ['my.audit.log', 3, 'my.audit.3.log'],
    ['.audit', 4, '.audit.4'],
  ])('of %s with number %d is %s, and back', (name, number, rotated) => {
    expect(rotatedName(name, number)).toBe(rotated);
    expect(rotatedNumber(name, rotated)).toBe(number);
  });

  test.each([
    'audit.jsonl',
    'audit.0.jsonl',
    'audit.01.jsonl',
    'audit.-1.jsonl',
    'audit.1e3.jsonl',
    'audit..jsonl',
    'audit.1.jsonl.gz',
    'audit.1.2.jsonl',
    'other.1.jsonl',
    'audit.9999999999999999.jsonl',
    '.rootward-0123456789abcdef01234567.tmp',
  ])('is not %s', (candidate) => {
    expect(rotatedNumber('audit.jsonl', candidate)).toBeUndefined();
  });
});
