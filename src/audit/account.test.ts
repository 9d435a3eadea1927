import { expect, test } from 'vitest';
import { Account } from './account.ts';

test('has nothing to tell until something is done', () => {
  const account = new Account();
  expect([account.place, account.changes]).toEqual([undefined, []]);
  account.reached('a/b');
  expect(account.place).toBe('a/b');
  account.reached('');
  expect(account.place).toBe('.');
});

test('counts the same change at the same place, and keeps the order', () => {
  const account = new Account();
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
  const account = new Account();
  for (let index = 0; index < 1_000; index += 1) account.changed({ kind: 'written', relative: `f${index}` });
  account.changed({ kind: 'written', relative: 'f0' });
  const { changes } = account;
  expect(changes).toHaveLength(9);
  expect(changes[0]).toEqual({ kind: 'written', place: 'f0', count: 2 });
  expect(changes.at(-1)).toEqual({ kind: 'written', place: '…', count: 992 });
});
