import { describe, expect, test } from 'vitest';
import { sampleEntry } from '../../test/audit/sample-entry.ts';
import { RootwardError } from '../errors.ts';
import { combineSinks } from './combine-sinks.ts';
import { createMemorySink } from './memory-sink.ts';
import type { AuditSink } from './sink.ts';

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
  ])('fail together if one %s, and the others have the entry', async (_how, broken) => {
    const [before, after] = [createMemorySink(), createMemorySink()];
    const sink = combineSinks(before, broken, slow, after);
    await expect((async () => sink.record(sampleEntry()))()).rejects.toBe(failure);
    await expect((async () => sink.ready?.())()).rejects.toBe(failure);
    expect([before.entries(), after.entries()]).toEqual([[sampleEntry()], [sampleEntry()]]);
  });

  test('throw at once if none of them has to be waited for', () => {
    expect(() => combineSinks(throwing).record(sampleEntry())).toThrow(failure);
  });

  test('are all closed, also when one cannot be', async () => {
    const memory = createMemorySink();
    await expect(combineSinks(rejecting, memory).close()).rejects.toBe(failure);
    expect(() => memory.record(sampleEntry())).toThrow('closed');
  });
});
