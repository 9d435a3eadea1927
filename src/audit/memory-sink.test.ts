import { expect, test } from 'vitest';
import { sampleEntry } from '../../test/audit/sample-entry.ts';
import { createMemorySink } from './memory-sink.ts';

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
