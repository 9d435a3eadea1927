import { describe, expect, test } from 'vitest';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { RootwardError } from '../errors.ts';
import type { AuditEntry } from './entry.ts';
import { redact, type RedactOptions } from './redact.ts';
import { createMemorySink } from './sink.ts';

describe('names', () => {
  test.each([
    ['clients/smith.txt', '*.txt'],
    ['/home/smith/app/main.test.ts', '*.ts'],
    ['C:\\Users\\smith\\a.JSON', '*.JSON'],
    ['smith', '*'],
    ['.smith', '*'],
    ['dir.d/smith', '*'],
    ['notes/to.mr smith', '*'],
    ['notes/2025.06.01', '*'],
    ['a.averylongending', '*'],
    ['smith/', '*'],
    ['', '*'],
  ])('keep of %j no more than %j', (path, kept) => {
    expect(recorded({ paths: 'names' }, { path }).path).toBe(kept);
  });
});

describe('hashes', () => {
  const options = { paths: 'hash', callers: 'hash', key: 'k' } as const;

  test('are equal for equal texts under the same key only', () => {
    const one = recorded(options, { path: 'a', caller: 'smith' });
    expect(one).toMatchObject({ path: expect.stringMatching(/^#[0-9a-f]{16}$/) as string });
    expect(recorded(options, { path: 'a' }).path).toBe(one.path);
    expect(recorded(options, { path: 'b' }).path).not.toBe(one.path);
    expect(recorded({ ...options, key: 'other' }, { path: 'a' }).path).not.toBe(one.path);
    expect(one.caller).not.toContain('smith');
  });

  test('cannot be found by guessing without the key', () => {
    const { key: _key, ...keyless } = options;
    expect(recorded(keyless, { path: 'a' }).path).not.toBe(recorded(keyless, { path: 'a' }).path);
  });

  test('stand for no caller where there is none', () => {
    const { caller: _caller, ...entry } = sampleEntry();
    const memory = createMemorySink();
    void redact(memory, options).record(entry);
    expect(memory.entries()[0]).not.toHaveProperty('caller');
  });
});

test('nothing is replaced by default', () => {
  expect(recorded({}, {})).toEqual(sampleEntry());
});

test('verdict, rule, reason and root stay', () => {
  const denied = { verdict: 'deny', rule: 'deny:.env', reason: 'it holds secrets', root: 'app' } as const;
  expect(recorded({ paths: 'hash', callers: 'hash' }, denied)).toMatchObject(denied);
});

test('failures and the close of the wrapped sink pass through', async () => {
  const memory = createMemorySink();
  const sink = redact(memory, { paths: 'names' });
  expect(sink.ready?.()).toBeUndefined();
  await sink.close();
  expect(() => sink.ready?.()).toThrow(RootwardError);
  expect(() => sink.record(sampleEntry())).toThrow('closed');
});

function recorded(options: RedactOptions, changes: Partial<AuditEntry>): AuditEntry {
  const memory = createMemorySink();
  void redact(memory, options).record(sampleEntry(changes));
  const [entry = sampleEntry()] = memory.entries();
  return entry;
}

test('hides every path of an entry, and leaves out details that may contain paths', () => {
  const memory = createMemorySink();
  const entry = sampleEntry({
    path: 'l.txt',
    place: 'clients/smith.txt',
    detail: 'cat clients/smith.txt',
    changed: [{ kind: 'written', place: 'clients/smith.txt', count: 1, lines: { added: 1, removed: 2 } }],
  });
  for (const paths of ['names', 'hash'] as const) void redact(memory, { paths }).record(entry);
  expect(JSON.stringify(memory.entries())).not.toContain('smith');
  expect(memory.entries()[0]).toMatchObject({
    path: '*.txt',
    place: '*.txt',
    changed: [{ kind: 'written', place: '*.txt', count: 1, lines: { added: 1, removed: 2 } }],
  });
});
