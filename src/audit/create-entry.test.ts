import { describe, expect, test } from 'vitest';
import { RootwardError } from '../errors.ts';
import { AnswerPending } from '../policy/settle.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { EffectLog, attempt, createEntry, type ActEnd } from './create-entry.ts';

const decision = { verdict: 'allow', rule: 'allow:read', reason: 'it is allowed' } as const;
const request = { operation: 'read', path: 'a' } as const;

async function entryFor(ended: ActEnd<unknown>, caller?: string) {
  await using workspace = await openWorkspace([], { revision: 4 });
  const scope = caller === undefined ? { workspace } : { workspace, caller };
  const account = new EffectLog();
  const started = performance.now();
  return createEntry(scope, { request, location: undefined, decision, ended, account, started });
}

describe('createEntry', () => {
  test('records the request and its outcome', async () => {
    expect(await entryFor({ result: 1 }, 'me')).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      caller: 'me',
      operation: 'read',
      path: 'a',
      ...decision,
      outcome: 'done',
      duration: expect.any(Number),
      revision: 4,
    });
  });

  test('a failure is recorded with its code', async () => {
    const error = new RootwardError('NOT_FOUND', { verb: 'read', path: 'a' });
    expect(await entryFor({ error })).toMatchObject({
      verdict: 'allow',
      outcome: 'failed',
      code: 'NOT_FOUND',
    });
    expect(await entryFor({ error: new TypeError('x') })).toMatchObject({
      outcome: 'failed',
      code: 'INTERNAL',
    });
  });

  test('names the rule that refused on the way to the file', async () => {
    const rule = { rule: 'deny:.env', reason: 'it holds secrets' };
    const error = new RootwardError('DENIED', { ...request, root: 'app', ...rule });
    expect(await entryFor({ error })).toMatchObject({
      ...rule,
      verdict: 'deny',
      outcome: 'refused',
      code: 'DENIED',
    });
  });

  test('a request that was taken back is cancelled, unless it was refused', async () => {
    await using workspace = await openWorkspace([]);
    const entry = (error: unknown, aborted = true) => {
      const scope = { workspace, signal: aborted ? AbortSignal.abort() : new AbortController().signal };
      const account = new EffectLog();
      return createEntry(scope, {
        request,
        location: undefined,
        decision,
        ended: { error },
        account,
        started: 0,
      });
    };
    expect(entry('any reason')).toMatchObject({ verdict: 'allow', outcome: 'cancelled' });
    expect(entry('any reason')).not.toHaveProperty('code');
    expect(entry('any reason', false)).toMatchObject({ outcome: 'failed', code: 'INTERNAL' });
    const outside = new RootwardError('OUTSIDE_ROOTS', { path: 'a', roots: [] });
    expect(entry(outside)).toMatchObject({ outcome: 'refused', code: 'OUTSIDE_ROOTS' });
  });

  test.each([
    ['HOLDS_ROOT', 'boundary:inner-root'],
    ['IS_ROOT', 'boundary:root'],
    ['OTHER_MOUNT', 'boundary:mount'],
    ['HARD_LINK', 'boundary:hard-link'],
    ['NOT_LISTED', 'boundary:name'],
    ['TREE_TOO_LARGE', 'boundary:tree'],
  ] as const)('%s is a refusal of the boundary', async (code, rule) => {
    const error = new RootwardError(code, { verb: 'move', path: 'a' });
    expect(await entryFor({ error })).toMatchObject({ verdict: 'deny', rule, outcome: 'refused', code });
  });

  test('a link that leads out is a denial', async () => {
    const error = new RootwardError('OUTSIDE_ROOTS', { path: 'a', roots: [] });
    expect(await entryFor({ error })).toMatchObject({
      verdict: 'deny',
      rule: 'outside-roots',
      outcome: 'refused',
    });
  });
});

describe('the changes that the boundary reported', () => {
  test('are in the entry, and a refusal after a change is a failure', async () => {
    const account = new EffectLog();
    account.changed({ kind: 'made', relative: 'n' });
    await using workspace = await openWorkspace([]);
    const error = new RootwardError('DENIED', { ...request, root: 'app', rule: 'deny:x', reason: 'x' });
    const accessed = { request, location: undefined, decision, ended: { error }, account, started: 0 };
    expect(createEntry({ workspace }, accessed)).toMatchObject({
      verdict: 'deny',
      outcome: 'failed',
      changed: [{ kind: 'made', place: 'n', count: 1 }],
    });
  });
});

test('keeps a result', async () => {
  expect(await attempt(() => 1)).toEqual({ result: 1 });
  expect(await attempt(async () => undefined)).toEqual({ result: undefined });
});

test('keeps a thrown value of any type', async () => {
  const error = new Error('x');
  expect(await attempt(() => Promise.reject(error))).toEqual({ error });
  expect(
    await attempt(() => {
      throw error;
    }),
  ).toEqual({ error });
});

test('rethrows a pending answer, unless something was changed', async () => {
  const pending = new AnswerPending('later');
  const account = new EffectLog();
  await expect(attempt(() => Promise.reject(pending), account)).rejects.toBe(pending);
  account.changed({ kind: 'written', relative: 'a' });
  expect(await attempt(() => Promise.reject(pending), account)).toEqual({ error: pending });
});

test('is empty until something is done', () => {
  const account = new EffectLog();
  expect([account.place, account.changes]).toEqual([undefined, []]);
  account.reached('a/b');
  expect(account.place).toBe('a/b');
  account.reached('');
  expect(account.place).toBe('.');
});

test('counts the same change at the same place, and keeps the order', () => {
  const account = new EffectLog();
  account.changed({ kind: 'made', relative: 'a' });
  account.changed({ kind: 'removed', relative: 'b', count: 3 });
  account.changed({ kind: 'removed', relative: 'b', count: 4 });
  account.changed({ kind: 'started', relative: '' });
  expect(account.changes).toEqual([
    { kind: 'made', place: 'a', count: 1 },
    { kind: 'removed', place: 'b', count: 7 },
    { kind: 'started', place: '.', count: 1 },
  ]);
});

test('names a few places and counts the rest', () => {
  const account = new EffectLog();
  for (let index = 0; index < 1_000; index += 1) account.changed({ kind: 'written', relative: `f${index}` });
  account.changed({ kind: 'written', relative: 'f0' });
  const { changes } = account;
  expect(changes).toHaveLength(9);
  expect(changes[0]).toEqual({ kind: 'written', place: 'f0', count: 2 });
  expect(changes.at(-1)).toEqual({ kind: 'written', place: '…', count: 992 });
});

test('adds up lines, unless a part of them is unknown', () => {
  const account = new EffectLog();
  const written = (relative: string, lines?: { added: number; removed: number }): void =>
    account.changed({ kind: 'written', relative, ...(lines && { lines }) });
  written('a', { added: 1, removed: 0 });
  written('a', { added: 2, removed: 5 });
  written('b', { added: 1, removed: 0 });
  written('b');
  expect(account.changes).toEqual([
    { kind: 'written', place: 'a', count: 2, lines: { added: 3, removed: 5 } },
    { kind: 'written', place: 'b', count: 2 },
  ]);
});
