import { describe, expect, test } from 'vitest';
import type { Operation } from '../../boundary/step/operation.ts';
import type { DenyConfig, PermissionConfig } from '../../policy/rules/policy-config.ts';
import { allowGlobs, allowMore, askBefore, denyGlobs, denyMore, parseWish } from './change-permissions.ts';

function levels(own: PermissionConfig, effective = own): Parameters<typeof allowMore>[0] {
  return { own, effective };
}

describe('allowing', () => {
  test.each<[string, PermissionConfig, PermissionConfig]>([
    ['keeps what was not mentioned', {}, { allow: ['read', 'list', 'write'] }],
    [
      'spells a preset out',
      { preset: 'ask-before-write' },
      { allow: ['read', 'list', 'write'], ask: ['remove'] },
    ],
    ['keeps deny rules', { deny: ['x'] }, { allow: ['read', 'list', 'write'], deny: ['x'] }],
    ['adds to a list', { allow: [] }, { allow: ['write'] }],
  ])('%s', (_what, before, after) => {
    expect(allowMore(levels(before), { operations: ['write'] })).toEqual(after);
  });

  test('removes deny globs, in either form, and nothing else', () => {
    const own: PermissionConfig = {
      preset: 'read-only',
      deny: ['a', { glob: 'b', operations: ['read'] }, 'c'],
    };
    expect(allowMore(levels(own), { globs: ['a', 'b'] })).toEqual({ preset: 'read-only', deny: ['c'] });
    expect(allowMore(levels({ deny: ['a'] }), { globs: ['a'] })).toEqual({});
  });

  test('removes the named operations from deny globs, and leaves others alone', () => {
    const own: PermissionConfig = { allow: ['read'], deny: ['a', 'b'] };
    expect(allowMore(levels(own), { globs: ['a'], operations: ['write'] })).toEqual({
      allow: ['read'],
      deny: [{ glob: 'a', operations: ['read', 'list', 'remove', 'execute'] }, 'b'],
    });
  });

  test('fails if there is no rule to remove', () => {
    const refused = expect.objectContaining({ code: 'UNKNOWN_RULE' });
    expect(() => allowMore(levels({ deny: ['a'] }), { globs: ['b'] })).toThrow(refused);
    expect(() => allowMore(levels({}, { deny: ['a'] }), { globs: ['a'] })).toThrow(/denied to all servers/);
  });

  test('changes nothing if nothing is named', () => {
    const own: PermissionConfig = { preset: 'ask-before-write', deny: ['a'] };
    expect([allowMore(levels(own), {}), denyMore(levels(own), {})]).toEqual([own, own]);
  });

  test('starts from the effective permissions if there are none of its own', () => {
    expect(allowMore(levels({}, { allow: ['list'] }), { operations: ['write'] })).toEqual({
      allow: ['list', 'write'],
    });
  });
});

describe('denying', () => {
  test('removes operations, also those that ask', () => {
    expect(denyMore(levels({ preset: 'ask-before-write' }), { operations: ['read', 'remove'] })).toEqual({
      allow: ['list'],
      ask: ['write'],
    });
  });

  test('adds globs once, for all operations or for some', () => {
    const own: PermissionConfig = { deny: ['a'] };
    expect(denyMore(levels(own), { globs: ['a', 'b'] })).toEqual({ deny: ['a', 'b'] });
    expect(denyMore(levels({}), { globs: ['a'], operations: ['write'] })).toEqual({
      deny: [{ glob: 'a', operations: ['write'] }],
    });
  });
});

describe('asking', () => {
  test('moves operations to "ask", and leaves the rest alone', () => {
    const own: PermissionConfig = { allow: ['read', 'write'], deny: ['a'] };
    expect(askBefore(levels(own), { operations: ['write', 'remove'] })).toEqual({
      allow: ['read'],
      ask: ['write', 'remove'],
      deny: ['a'],
    });
    expect(allowMore(levels({ ask: ['write'] }), { operations: ['write'] })).toEqual({ allow: ['write'] });
  });
});

test('validates a change', () => {
  expect(() => parseWish({ globs: ['['] })).toThrow(expect.objectContaining({ code: 'INVALID_GLOB' }));
  expect(() => parseWish({ operations: ['eat' as 'read'] })).toThrow(
    expect.objectContaining({ code: 'INVALID_POLICY' }),
  );
  expect(parseWish({ operations: ['read'] })).toEqual({ operations: ['read'] });
});

type Rules = readonly (string | DenyConfig)[];

const all = undefined;

describe('to deny a glob', () => {
  test.each<[string, Rules, readonly Operation[] | undefined, Rules]>([
    ['adds a rule', ['b'], all, ['b', 'a']],
    ['says nothing twice', ['a'], all, ['a']],
    [
      'says nothing twice for some operations either',
      [{ glob: 'a', operations: ['write'] }],
      ['write'],
      [{ glob: 'a', operations: ['write'] }],
    ],
    ['says nothing that a rule for all says', ['a'], ['write'], ['a']],
    [
      'adds to a rule that is there',
      [{ glob: 'a', operations: ['write'] }, 'b'],
      ['read'],
      [{ glob: 'a', operations: ['read', 'write'] }, 'b'],
    ],
    [
      'makes one rule of many',
      [{ glob: 'a', operations: ['write'] }, 'b', { glob: 'a', operations: ['read'] }],
      all,
      ['a', 'b'],
    ],
    [
      'leaves a rule alone that gives a reason',
      [{ glob: 'a', operations: ['write'], reason: 'why' }],
      all,
      [{ glob: 'a', operations: ['write'], reason: 'why' }, 'a'],
    ],
  ])('%s', (_what, before, operations, after) => {
    expect(denyGlobs(before, { globs: ['a'], operations })).toEqual(after);
  });

  test('adds each glob once, however often it is named', () => {
    expect(denyGlobs([], { globs: ['a', 'a', 'b'], operations: ['write'] })).toEqual([
      { glob: 'a', operations: ['write'] },
      { glob: 'b', operations: ['write'] },
    ]);
  });
});

describe('to allow a glob', () => {
  test.each<[string, Rules, readonly Operation[] | undefined, Rules]>([
    ['takes its rule away', ['a', 'b'], all, ['b']],
    ['takes all of its rules away', ['a', { glob: 'a', operations: ['read'], reason: 'why' }], all, []],
    [
      'keeps what else the rule denies',
      ['a'],
      ['read', 'list'],
      [{ glob: 'a', operations: ['write', 'remove', 'execute'] }],
    ],
    [
      'keeps the reason for the rest',
      [{ glob: 'a', operations: ['read', 'write'], reason: 'why' }],
      ['read'],
      [{ glob: 'a', operations: ['write'], reason: 'why' }],
    ],
  ])('%s', (_what, before, operations, after) => {
    expect(allowGlobs(before, { globs: ['a'], operations }, before)).toEqual(after);
  });

  test.each<[string, Rules, Rules, readonly Operation[] | undefined]>([
    ['no rule denies it', ['b'], ['b'], all],
    ['no rule denies it', [{ glob: 'a', operations: ['write'] }], [], ['read']],
    ['it is denied to all servers, not only to this one', [], ['a'], all],
  ])('is refused because %s', (reason, own, effective, operations) => {
    expect(() => allowGlobs(own, { globs: ['a'], operations }, effective)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_RULE', data: expect.objectContaining({ glob: 'a', reason }) }),
    );
  });
});
