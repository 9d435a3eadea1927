import { describe, expect, test } from 'vitest';
import { RootwardError } from '../errors.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { Account } from './account.ts';
import type { Ended } from './attempt.ts';
import { createEntry } from './create-entry.ts';

const decision = { verdict: 'allow', rule: 'allow:read', reason: 'it is allowed' } as const;
const request = { operation: 'read', path: 'a' } as const;

async function entryFor(ended: Ended<unknown>, caller?: string) {
  await using workspace = await openWorkspace([], { revision: 4 });
  const scope = caller === undefined ? { workspace } : { workspace, caller };
  const account = new Account();
  const started = performance.now();
  return createEntry(scope, { request, location: undefined, decision, ended, account, started });
}

describe('createEntry', () => {
  test('says what was asked and how it ended', async () => {
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

  test('a failure has its code', async () => {
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

  test('a rule that came up on the way is the one that decided', async () => {
    const rule = { rule: 'deny:.env', reason: 'it holds secrets' };
    const error = new RootwardError('DENIED', { ...request, root: 'app', ...rule });
    expect(await entryFor({ error })).toMatchObject({
      ...rule,
      verdict: 'deny',
      outcome: 'refused',
      code: 'DENIED',
    });
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

describe('what the boundary told', () => {
  test('is in the entry, and a refusal after a change is a failure', async () => {
    const account = new Account();
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
