import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pathsOf } from '../../test/support/trees/log-text.ts';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { mountSmallDisk, needsMount } from '../../test/support/trees/small-disk.ts';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { formatEntry } from './entry.ts';
import { type FileSinkOptions, openFileSink } from './file-sink.ts';
import { readLog } from './read-log.ts';
import type { AuditSink } from './sink.ts';

const auditFailed = expect.objectContaining({ code: 'AUDIT_FAILED' });
const line = `${formatEntry(sampleEntry({ path: '0000' }))}\n`;

afterEach(() => {
  vi.useRealTimers();
});

describe('a record', () => {
  test('is a whole line in the file before it returns', async () => {
    using tree = tempTree();
    await using log = await openLog(tree);
    expect(log.sink.ready?.()).toBeUndefined();
    expect(log.sink.record(sampleEntry())).toBeUndefined();
    expect(readFileSync(tree.at('audit.jsonl'), 'utf8')).toBe(`${formatEntry(sampleEntry())}\n`);
  });

  test('is appended to existing lines', async () => {
    using tree = tempTree([`audit.jsonl = ${line}`]);
    await using log = await openLog(tree);
    await log.write('b');
    expect(pathsOf(tree.path)).toEqual(['0000', 'b']);
  });

  test('begins a new line after one that a crash has torn', async () => {
    using tree = tempTree(['audit.jsonl = {"time":"2025-']);
    await using log = await openLog(tree);
    await log.write('b');
    expect(pathsOf(tree.path)).toEqual(['{"time":"2025-', 'b']);
  });

  test('waits for the disk on request, and concurrent records share one flush', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { flush: 'each' });
    await Promise.all(['a', 'b', 'c'].map(log.write));
    expect(log.sink.record(sampleEntry({ path: 'd' }))).toBeInstanceOf(Promise);
    expect(pathsOf(tree.path)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('can be read by the owner of the log alone', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { maxBytes: 1 });
    await log.write('a');
    await log.write('b');
    expect(readdirSync(tree.path)).toEqual(['audit.1.jsonl', 'audit.2.jsonl', 'audit.jsonl']);
    expect(readdirSync(tree.path).map((name) => statSync(tree.at(name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
  });
});

describe('a file that is full', () => {
  test('gets a number, and the log goes on under its name', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { maxBytes: 2 * line.length });
    for (const path of ['1111', '2222', '3333', '4444', '5555']) await log.write(path);
    expect(pathsIn(tree, 'audit.1.jsonl')).toEqual(['1111', '2222']);
    expect(pathsIn(tree, 'audit.2.jsonl')).toEqual(['3333', '4444']);
    expect(pathsIn(tree, 'audit.jsonl')).toEqual(['5555']);
  });

  test('is removed when enough newer ones are full', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { name: 'my.log', maxBytes: 1, keep: 2 });
    for (let number = 0; number < 5; number += 1) await log.write(String(number));
    expect(readdirSync(tree.path)).toEqual(['my.4.log', 'my.5.log', 'my.log']);
  });

  test('takes the lines that come while it is rotated', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { maxBytes: 1, keep: 100 });
    const paths = Array.from({ length: 20 }, (_, number) => String(number));
    await Promise.all(paths.map(log.write));
    expect(pathsOf(tree.path).toSorted()).toEqual(paths.toSorted());
  });

  test('rotated by another process: the next line goes to the new file', async () => {
    using tree = tempTree();
    await using one = await openLog(tree, { maxBytes: 3 * line.length });
    await using other = await openLog(tree, { maxBytes: 3 * line.length });
    await one.write('1111');
    for (const path of ['2222', '3333']) await other.write(path);
    for (const path of ['4444', '5555']) await one.write(path);
    expect(pathsIn(tree, 'audit.1.jsonl')).toEqual(['1111', '2222', '3333', '4444']);
    expect(pathsIn(tree, 'audit.jsonl')).toEqual(['5555']);
  });

  test('rotated until it was removed: the line is not lost with it', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { maxBytes: 2 * line.length });
    await log.write('1111');
    rmSync(tree.at('audit.jsonl'));
    await log.write('2222');
    await log.write('3333');
    expect(pathsOf(tree.path)).toEqual(['2222', '3333']);
  });

  test('is closed after everything in it was flushed', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { maxBytes: 1 });
    for (const path of ['a', 'b', 'c']) await log.write(path);
    await log.sink.close();
    expect(openHandles(tree.path)).toEqual([tree.path]);
  });

  test('that cannot be rotated makes records fail until it can', async () => {
    using tree = tempTree(['audit.1.jsonl/']);
    await using log = await openLog(tree, { maxBytes: 1 });
    const reason = 'cannot write "audit.1.jsonl": it is a directory';
    await expect(log.write('a')).rejects.toThrow(reason);
    await expect(log.sink.ready?.()).rejects.toThrow(reason);
    rmSync(tree.at('audit.1.jsonl'), { recursive: true });
    await log.sink.ready?.();
    expect(pathsIn(tree, 'audit.1.jsonl')).toEqual(['a']);
    expect(log.sink.ready?.()).toBeUndefined();
    await log.write('b');
    expect(pathsIn(tree, 'audit.2.jsonl')).toEqual(['b']);
  });
});

describe('a log that another program touches', () => {
  test('is found again under its name when it was moved away', async () => {
    using tree = tempTree();
    const clock = { now: 0 };
    await using log = await openLog(tree, { now: () => clock.now });
    await log.write('a');
    renameSync(tree.at('audit.jsonl'), tree.at('moved.jsonl'));
    clock.now += 99;
    await log.write('b');
    clock.now += 1;
    await log.write('c');
    expect(pathsIn(tree, 'moved.jsonl')).toEqual(['a', 'b']);
    expect(pathsIn(tree, 'audit.jsonl')).toEqual(['c']);
  });

  test('fails closed while a directory takes its name', async () => {
    using tree = tempTree();
    const clock = { now: 0 };
    await using log = await openLog(tree, { now: () => clock.now });
    rmSync(tree.at('audit.jsonl'));
    mkdirSync(tree.at('audit.jsonl'));
    clock.now += 100;
    expect(() => log.sink.record(sampleEntry())).toThrow(
      'Cannot record the decision: cannot append to "audit.jsonl": it is a directory',
    );
    expect(() => log.sink.ready?.()).toThrow(auditFailed);
    rmSync(tree.at('audit.jsonl'), { recursive: true });
    expect(log.sink.ready?.()).toBeUndefined();
    await log.write('c');
    expect(pathsOf(tree.path).filter((path) => path.trim() !== '')).toEqual(['c']);
  });

  test('cannot be opened: the sink does not start', async () => {
    using tree = tempTree(['audit.jsonl/', 'pipe|', 'out => ../elsewhere']);
    await using boundary = await openBoundary(tree.path);
    await expect(openFileSink(boundary)).rejects.toEqual(auditFailed);
    await expect(openFileSink(boundary, { name: 'pipe' })).rejects.toEqual(auditFailed);
    await expect(openFileSink(boundary, { name: 'out' })).rejects.toEqual(auditFailed);
    await expect(openFileSink(boundary, { name: 'a/b' })).rejects.toMatchObject({ code: 'INVALID_PATH' });
  });
});

describe('a full disk', () => {
  test('fails closed, hides nothing, and recovers when there is room again', async ({ skip }) => {
    using tree = tempTree(['disk/']);
    using disk = mountSmallDisk(tree.at('disk'));
    if (disk === undefined) return skip(needsMount);
    await using log = await openLog(tree, {}, 'disk');
    writeFileSync(tree.at('disk', 'ballast'), Buffer.alloc(8_192));
    const written = await fill(log, false);
    // The line that did not fit was written in part, and only in part.
    expect(readFileSync(tree.at('disk', 'audit.jsonl'), 'utf8').endsWith('\n')).toBe(false);
    expect(() => log.sink.ready?.()).toThrow(auditFailed);
    expect(() => log.sink.record(sampleEntry())).toThrow('there is no space left');
    rmSync(tree.at('disk', 'ballast'));
    expect(log.sink.ready?.()).toBeUndefined();
    await log.write('after');
    expect(await read(log)).toEqual({ paths: [...written, 'after'], skipped: 1 });
  });

  test('is detected before the operation runs', async ({ skip }) => {
    using tree = tempTree(['disk/']);
    using disk = mountSmallDisk(tree.at('disk'));
    if (disk === undefined) return skip(needsMount);
    await using log = await openLog(tree, {}, 'disk');
    await log.write('first');
    expect(log.sink.ready?.()).toBeUndefined();
    expect(() => writeFileSync(tree.at('disk', 'ballast'), Buffer.alloc(100_000))).toThrow('ENOSPC');
    expect(() => log.sink.ready?.()).toThrow('the disk of the log is full');
    rmSync(tree.at('disk', 'ballast'));
    expect(log.sink.ready?.()).toBeUndefined();
  });

  test('keeps a log with a torn line from being opened', async ({ skip }) => {
    using tree = tempTree(['disk/']);
    using disk = mountSmallDisk(tree.at('disk'));
    if (disk === undefined) return skip(needsMount);
    await using boundary = await openBoundary(disk.path);
    const torn = formatEntry(sampleEntry()).slice(0, 100).padEnd(8_192, 'x');
    writeFileSync(tree.at('disk', 'audit.jsonl'), torn);
    expect(() => writeFileSync(tree.at('disk', 'ballast'), Buffer.alloc(100_000))).toThrow('ENOSPC');
    await expect(openFileSink(boundary)).rejects.toEqual(auditFailed);
    expect(openHandles(disk.path)).toEqual([disk.path]);
    rmSync(tree.at('disk', 'ballast'));
    await (await openFileSink(boundary)).close();
  });

  test('tears no line that another process writes afterwards', async ({ skip }) => {
    using tree = tempTree(['disk/']);
    using disk = mountSmallDisk(tree.at('disk'));
    if (disk === undefined) return skip(needsMount);
    await using log = await openLog(tree, {}, 'disk');
    await using other = await openLog(tree, {}, 'disk');
    writeFileSync(tree.at('disk', 'ballast'), Buffer.alloc(8_192));
    const written = await fill(log, false);
    rmSync(tree.at('disk', 'ballast'));
    // This process does not know that the last line is torn.
    await other.write('other');
    await log.write('after');
    expect(await read(log)).toEqual({ paths: [...written, 'other', 'after'], skipped: 1 });
  });

  test('fails closed during rotations, and loses nothing', async ({ skip }) => {
    using tree = tempTree(['disk/']);
    using disk = mountSmallDisk(tree.at('disk'));
    if (disk === undefined) return skip(needsMount);
    await using log = await openLog(tree, { maxBytes: 4_096, keep: 1_000 }, 'disk');
    const written = await fill(log);
    expect(readdirSync(log.directory).length).toBeGreaterThan(5);
    expect((await read(log)).paths).toEqual(expect.arrayContaining([...written]));
  });
});

test('with plenty of room, free space is checked again only after a moment', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const clock = { now: 0 };
  const rooms: number[] = [];
  const openFile = boundary.openLog.bind(boundary);
  vi.spyOn(boundary, 'openLog').mockImplementation((...given) => {
    const file = openFile(...given);
    const hasRoom = file.hasRoom.bind(file);
    vi.spyOn(file, 'hasRoom').mockImplementation((bytes) => {
      rooms.push(clock.now);
      return hasRoom(Math.min(bytes, 4_096));
    });
    return file;
  });
  const sink = await openFileSink(boundary, { now: () => clock.now });
  for (const now of [0, 1, 19, 20, 39, 40]) {
    clock.now = now;
    expect(sink.ready?.()).toBeUndefined();
  }
  expect(rooms).toEqual([0, 20, 40]);
  await sink.close();
});

describe('a flush that failed in the background', () => {
  test('fails the next record, once', async () => {
    using tree = tempTree();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using boundary = await openBoundary(tree.path);
    const openFile = boundary.openLog.bind(boundary);
    vi.spyOn(boundary, 'openLog').mockImplementationOnce((...given) => {
      const file = openFile(...given);
      vi.spyOn(file, 'flush').mockRejectedValueOnce(new Error('EIO'));
      return file;
    });
    const sink = await openFileSink(boundary);
    await sink.record(sampleEntry({ path: 'a' }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(() => sink.ready?.()).toThrow(auditFailed);
    await sink.record(sampleEntry({ path: 'b' }));
    await sink.close();
    expect(pathsOf(tree.path)).toEqual(['a', 'b']);
  });

  test('is reported by close if no record came', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const openFile = boundary.openLog.bind(boundary);
    vi.spyOn(boundary, 'openLog').mockImplementationOnce((...given) => {
      const file = openFile(...given);
      vi.spyOn(file, 'flush').mockRejectedValue(new Error('EIO'));
      return file;
    });
    const sink = await openFileSink(boundary);
    await sink.record(sampleEntry());
    await expect(sink.close()).rejects.toEqual(auditFailed);
  });
});

describe('close', () => {
  test('flushes, refuses later records, and closes once', async () => {
    using tree = tempTree();
    await using log = await openLog(tree);
    await log.write('a');
    await Promise.all([log.sink.close(), log.sink.close()]);
    expect(() => log.sink.record(sampleEntry())).toThrow('the audit is closed');
    expect(() => log.sink.ready?.()).toThrow(auditFailed);
    expect(pathsOf(tree.path)).toEqual(['a']);
  });

  test('of the boundary waits for the sink', async () => {
    using tree = tempTree();
    const boundary = await openBoundary(tree.path);
    const sink = await openFileSink(boundary);
    const closed = boundary.close();
    await sink.record(sampleEntry());
    expect(openHandles(tree.path)).toContain(tree.path);
    await sink.close();
    await closed;
    expect(openHandles(tree.path)).toEqual([]);
    expect(pathsOf(tree.path)).toHaveLength(1);
  });

  test('waits for a rotation', async () => {
    using tree = tempTree();
    await using log = await openLog(tree, { maxBytes: 1 });
    const recorded = log.sink.record(sampleEntry({ path: 'a' }));
    await log.sink.close();
    await recorded;
    expect(pathsIn(tree, 'audit.1.jsonl')).toEqual(['a']);
  });
});

interface TestLog extends AsyncDisposable {
  readonly sink: AuditSink;
  readonly directory: string;
  readonly write: (path: string) => Promise<void>;
}

async function openLog(tree: TempTree, options: FileSinkOptions = {}, folder = '.'): Promise<TestLog> {
  const boundary = await openBoundary(tree.at(folder));
  const sink = await openFileSink(boundary, options);
  return {
    sink,
    directory: tree.at(folder),
    write: async (path) => sink.record(sampleEntry({ path })),
    async [Symbol.asyncDispose]() {
      await sink.close();
      await boundary.close();
    },
  };
}

/** Writes until there is no more room; returns what was written. */
/** Writes until nothing fits any more; without asking first, the last line is torn. */
async function fill({ sink, write }: TestLog, asking = true): Promise<readonly string[]> {
  const written: string[] = [];
  for (let number = 0; number < 10_000; number += 1) {
    try {
      if (asking) await sink.ready?.();
      await write(`fill/${number}`);
      written.push(`fill/${number}`);
    } catch (error) {
      expect(error).toEqual(auditFailed);
      return written;
    }
  }
  throw new Error('the disk is too large');
}

async function read({ directory }: TestLog): Promise<{ paths: readonly string[]; skipped: number }> {
  await using boundary = await openBoundary(directory);
  const log = readLog(boundary);
  const paths: string[] = [];
  for await (const { path } of log) paths.push(path);
  return { paths, skipped: log.skipped };
}

function pathsIn(tree: TempTree, name: string): readonly string[] {
  const text = readFileSync(tree.at(name), 'utf8');
  return linesIn(text).map((found) => (JSON.parse(found) as { path: string }).path);
}

function linesIn(text: string): readonly string[] {
  return text.split('\n').filter((found) => found !== '');
}
