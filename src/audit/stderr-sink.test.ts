import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { createStderrSink, describeEntry, otherPlace } from './stderr-sink.ts';

const auditFailed = expect.objectContaining({ code: 'AUDIT_FAILED' });

test('shows each entry as one line', async () => {
  const stream = new PassThrough();
  const sink = createStderrSink(stream);
  await sink.record(sampleEntry({ path: 'a\nb' }));
  await sink.record(sampleEntry({ path: 'c', verdict: 'deny' }));
  await sink.close();
  const lines = (await text(stream.end())).split('\n');
  expect(lines).toEqual([
    expect.stringContaining(String.raw`allow read "a\u{a}b"`),
    expect.stringContaining('deny read "c"'),
    '',
  ]);
});

test('never writes to standard output', () => {
  expect(() => createStderrSink(process.stdout)).toThrow(auditFailed);
});

test('fails a record that the stream refuses, and the process survives', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const sink = createStderrSink(stream);
  await expect(sink.record(sampleEntry())).rejects.toEqual(auditFailed);
  expect(() => sink.ready?.()).toThrow(auditFailed);
  expect(() => sink.record(sampleEntry())).toThrow('the stream has ended');
});

test('leaves the stream to its owner when it is closed', async () => {
  const stream = new PassThrough();
  const sink = createStderrSink(stream);
  await sink.close();
  expect(() => sink.record(sampleEntry())).toThrow(auditFailed);
  expect(stream.writable).toBe(true);
  expect(stream.listenerCount('error')).toBe(0);
});

test('describes caller, operation, decision, reason and outcome', () => {
  const entry = sampleEntry({ reason: 'the root allows it', outcome: 'failed', code: 'NOT_FOUND' });
  expect(describeEntry(entry)).toBe(
    '2025-06-01T12:00:00.000Z allow read "src/a.ts" in "app" for "test 1": the root allows it ' +
      '(allow:read, failed NOT_FOUND, 0.125 ms)',
  );
});

test('leaves out unknown fields', () => {
  const { caller: _caller, root: _root, ...entry } = sampleEntry({ verdict: 'deny', rule: 'outside-roots' });
  expect(describeEntry(entry)).toBe(
    '2025-06-01T12:00:00.000Z deny read "src/a.ts" (outside-roots, done, 0.125 ms)',
  );
});

test('lets no text move the cursor or begin another line', () => {
  const text = 'a\n\u001B[2J\u202E"b';
  const line = describeEntry(sampleEntry({ caller: text, path: text, root: text, rule: text, reason: text }));
  expect(line).not.toMatch(/[\u0000-\u001F\u202E]/);
  expect(line).toContain(String.raw`read "a\u{a}\u{1b}[2J\u{202e}\"b"`);
});

test('an event of a root replaces the operation', () => {
  expect(describeEntry(sampleEntry({ event: 'exposure', operation: 'list' }))).toContain(
    'allow exposure "src/a.ts"',
  );
});

test('shows where a link led, the details, and the changes before a failure', () => {
  const entry = sampleEntry({
    tool: 'shell',
    place: 'real',
    detail: 'npm\ntest',
    outcome: 'failed',
    changed: [
      { kind: 'made', place: 'a', count: 1 },
      { kind: 'removed', place: 'b', count: 12 },
    ],
  });
  expect(describeEntry(entry)).toContain(
    '"src/a.ts", which is "real", in "app" [npm\\u{a}test] by shell for "test 1"',
  );
  expect(describeEntry(entry)).toContain('failed, after it had made "a", removed "b" (12 entries), ');
  expect(describeEntry(sampleEntry({ event: 'look', operation: 'write' }))).toContain(
    'allow look at write "',
  );
});

test.each([
  ['link/a.txt', 'real/a.txt', 'real/a.txt'],
  ['a.txt', 'pkg/a.txt', 'pkg/a.txt'],
  ['docs/a.txt', 'a.txt', 'a.txt'],
  ['a.txt', 'a.txt', undefined],
  ['./src/', 'src', undefined],
  ['/srv/app/src/a.txt', 'src/a.txt', undefined],
  ['C:\\app\\src\\a.txt', 'src/a.txt', undefined],
  ['file:///srv/app/a.txt', 'a.txt', undefined],
  ['/srv/app', '.', undefined],
  ['a.txt', undefined, undefined],
])('of %j, which is %j, a line for people says %j', (path, place, said) => {
  expect(otherPlace({ path, ...(place !== undefined && { place }) })).toBe(said);
});

test('shows how many lines came and went', () => {
  const changed = [{ kind: 'written', place: 'a', count: 1, lines: { added: 3, removed: 1 } }] as const;
  expect(describeEntry(sampleEntry({ changed }))).toContain('done, +3 -1 lines, ');
  expect(describeEntry(sampleEntry({ changed, outcome: 'cancelled' }))).toContain(
    'cancelled, after it had written "a", +3 -1 lines, ',
  );
});
