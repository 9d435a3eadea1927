import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pathsOf } from '../../test/support/trees/log-text.ts';
import { startWriter, type Writer, type WriterOptions } from '../../test/support/processes/start-writer.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { readLog } from './read-log.ts';

const names = ['one', 'two', 'three'];
const lines = 600;
const everyPath = names.flatMap((name) => Array.from({ length: lines }, (_, line) => `${name}/${line}`));

describe('a log that several processes write', () => {
  test('holds every line once and whole, however often it is rotated', { timeout: 60_000 }, async () => {
    using tree = tempTree();
    const maxBytes = 8_192;
    await runAll(tree, { maxBytes, keep: 10_000 });
    expect(pathsOf(tree.path).toSorted()).toEqual(everyPath.toSorted());
    const full = readdirSync(tree.path).filter((name) => /^audit\.\d+\.jsonl$/.test(name));
    expect(full.length).toBeGreaterThan(20);
    // No file was rotated before it was full, and no reservation was left behind.
    expect(full.filter((name) => statSync(tree.at(name)).size < maxBytes)).toEqual([]);
    expect(readdirSync(tree.path)).toHaveLength(full.length + 1);
  });

  test('keeps the newest full files, up to the limit', { timeout: 60_000 }, async () => {
    using tree = tempTree();
    await runAll(tree, { maxBytes: 65_536, keep: 3 });
    expect(readdirSync(tree.path)).toHaveLength(4);
    const last = new Set(pathsOf(tree.path));
    expect(names.filter((name) => last.has(`${name}/${lines - 1}`))).not.toEqual([]);
    expect(last.has('one/0')).toBe(false);
  });

  test('is followed without missing or repeating a line', { timeout: 60_000 }, async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const stop = new AbortController();
    const log = readLog(boundary, { follow: true, signal: stop.signal });
    const seen: string[] = [];
    const writing = runAll(tree, { maxBytes: 32_768, keep: 1_000 });
    writing.catch(() => stop.abort());
    for await (const { path } of log) {
      seen.push(path);
      if (seen.length === everyPath.length) stop.abort();
    }
    await writing;
    expect(seen.toSorted()).toEqual(everyPath.toSorted());
    expect(log.skipped).toBe(0);
  });
});

test('a line survives the process that recorded it', async () => {
  using tree = tempTree();
  await using writer = await startWriter({
    directory: tree.path,
    name: 'victim',
    sink: { maxBytes: 20_000 },
  });
  writer.go();
  const told: string[] = [];
  for await (const line of writer.written) {
    told.push(line);
    if (told.length === 300) writer.child.kill('SIGKILL');
  }
  const found = new Set(pathsOf(tree.path));
  expect(told.length).toBeGreaterThanOrEqual(300);
  expect(told.filter((line) => !found.has(`victim/${line}`))).toEqual([]);
});

describe('a process without write permission', () => {
  // Root may write everywhere, so another user has to try.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const somebody = uid === undefined ? {} : { uid };

  test.each([
    { what: 'the directory', modes: { directory: 0o555 }, reason: 'cannot append to "audit.jsonl"' },
    { what: 'the log', modes: { directory: 0o777, log: 0o444 }, reason: 'cannot append to "audit.jsonl"' },
    { what: 'a number', modes: { directory: 0o555, log: 0o666 }, reason: 'cannot write "audit.1.jsonl"' },
  ])('to $what fails closed, and says so', async ({ modes, reason }) => {
    using tree = tempTree();
    if (modes.log !== undefined) {
      writeFileSync(tree.at('audit.jsonl'), '');
      chmodSync(tree.at('audit.jsonl'), modes.log);
    }
    chmodSync(tree.path, modes.directory);
    const failure = await failureOf({
      directory: tree.path,
      name: 'a',
      sink: { maxBytes: 1_000 },
      ...somebody,
    });
    chmodSync(tree.path, 0o700);
    expect(failure).toMatchObject({
      code: 'AUDIT_FAILED',
      message: `Cannot record the decision: ${reason}: the system does not permit it`,
    });
  });
});

async function failureOf(options: WriterOptions): Promise<unknown> {
  try {
    await using writer = await startWriter(options);
    writer.go();
    await writer.done;
    return undefined;
  } catch (error) {
    return (error as { readonly failure?: unknown }).failure;
  }
}

/** All writers begin together, when each has opened the log. */
async function runAll(tree: TempTree, sink: { maxBytes: number; keep: number }): Promise<void> {
  const writers: Writer[] = [];
  try {
    for (const name of names) writers.push(await startWriter({ directory: tree.path, name, lines, sink }));
    for (const writer of writers) writer.go();
    await Promise.all(writers.map(({ done }) => done));
  } finally {
    for (const writer of writers) await writer[Symbol.asyncDispose]();
  }
}
