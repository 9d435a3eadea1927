import { describe, expect, test } from 'vitest';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { RootwardError } from '../errors.ts';
import { auditClosed, type AuditSink, combineSinks, createMemorySink, toAuditFailure } from './sink.ts';

test('names the failure, and keeps the cause private', () => {
  const cause = new RootwardError('NO_SPACE', { verb: 'append to', path: 'audit.jsonl' });
  const failure = toAuditFailure(cause);
  expect(failure.message).toBe(
    'Cannot record the decision: cannot append to "audit.jsonl": there is no space left',
  );
  expect(failure.cause).toBe(cause);
  expect(JSON.stringify(failure)).not.toContain('cause');
});

test('reveals nothing of an unknown error', () => {
  const failure = toAuditFailure(new Error('EIO: /home/me/secret'));
  expect(failure.message).toBe('Cannot record the decision: the sink failed');
  expect(JSON.stringify(failure)).not.toContain('secret');
});

test('leaves an AUDIT_FAILED as it is', () => {
  const failure = auditClosed();
  expect(toAuditFailure(failure)).toBe(failure);
  expect(failure.message).toBe('Cannot record the decision: the audit is closed');
});

test.each([
  { size: 3, recorded: 2, kept: [0, 1] },
  { size: 3, recorded: 3, kept: [0, 1, 2] },
  { size: 3, recorded: 4, kept: [1, 2, 3] },
  { size: 3, recorded: 8, kept: [5, 6, 7] },
  { size: 1, recorded: 2, kept: [1] },
  { size: 0, recorded: 2, kept: [] },
])('keeps the last $size of $recorded entries, the oldest first', ({ size, recorded, kept }) => {
  const sink = createMemorySink({ size });
  for (let revision = 0; revision < recorded; revision += 1) void sink.record(sampleEntry({ revision }));
  expect(sink.entries().map(({ revision }) => revision)).toEqual(kept);
});

test('hands out a snapshot that later entries do not change', () => {
  const sink = createMemorySink({ size: 1 });
  void sink.record(sampleEntry({ path: 'a' }));
  const before = sink.entries();
  void sink.record(sampleEntry({ path: 'b' }));
  expect(before.map(({ path }) => path)).toEqual(['a']);
});

test('refuses entries after its close, and keeps what it has', async () => {
  const sink = createMemorySink();
  void sink.record(sampleEntry());
  await sink.close();
  expect(() => sink.record(sampleEntry())).toThrow(expect.objectContaining({ code: 'AUDIT_FAILED' }));
  expect(() => sink.ready?.()).toThrow(expect.objectContaining({ code: 'AUDIT_FAILED' }));
  expect(sink.entries()).toHaveLength(1);
});

const failure = new RootwardError('AUDIT_FAILED', { reason: 'it is planted' });

const throwing: AuditSink = {
  ready() {
    throw failure;
  },
  record() {
    throw failure;
  },
  close: () => Promise.reject(failure),
};

const rejecting: AuditSink = {
  ready: () => Promise.reject(failure),
  record: () => Promise.reject(failure),
  close: () => Promise.reject(failure),
};

const slow: AuditSink = { record: () => Promise.resolve(), close: () => Promise.resolve() };

describe('several sinks', () => {
  test('each get every entry, without a promise where none is needed', () => {
    const [one, other] = [createMemorySink(), createMemorySink()];
    const sink = combineSinks(one, other);
    expect(sink.ready?.()).toBeUndefined();
    expect(sink.record(sampleEntry())).toBeUndefined();
    expect([one.entries(), other.entries()]).toEqual([[sampleEntry()], [sampleEntry()]]);
  });

  test('are waited for', async () => {
    const recorded = combineSinks(createMemorySink(), slow).record(sampleEntry());
    expect(recorded).toBeInstanceOf(Promise);
    await recorded;
  });

  test.each([
    ['throws', throwing],
    ['rejects', rejecting],
  ])('fail together if one %s, and the others still get the entry', async (_how, broken) => {
    const [before, after] = [createMemorySink(), createMemorySink()];
    const sink = combineSinks(before, broken, slow, after);
    await expect((async () => sink.record(sampleEntry()))()).rejects.toBe(failure);
    await expect((async () => sink.ready?.())()).rejects.toBe(failure);
    expect([before.entries(), after.entries()]).toEqual([[sampleEntry()], [sampleEntry()]]);
  });

  test('throw at once if none of them has to be waited for', () => {
    expect(() => combineSinks(throwing).record(sampleEntry())).toThrow(failure);
  });

  test('are all closed, even if one fails', async () => {
    const memory = createMemorySink();
    await expect(combineSinks(rejecting, memory).close()).rejects.toBe(failure);
    expect(() => memory.record(sampleEntry())).toThrow('closed');
  });
});
