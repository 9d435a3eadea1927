import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sampleEntry } from '../../test/audit/sample-entry.ts';
import { createStderrSink } from './stderr-sink.ts';

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

test('fails a record that the stream does not take, and the process lives on', async () => {
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
