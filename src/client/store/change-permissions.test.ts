import { describe, expect, test } from 'vitest';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { allowMore, askBefore, denyMore, parseWish } from './change-permissions.ts';

function levels(own: PermissionConfig, effective = own): Parameters<typeof allowMore>[0] {
  return { own, effective };
}

describe('allowing', () => {
  test.each<[string, PermissionConfig, PermissionConfig]>([
    ['keeps what nobody had to say', {}, { allow: ['read', 'list', 'write'] }],
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

  test('takes deny globs away, in either form, and nothing else', () => {
    const own: PermissionConfig = {
      preset: 'read-only',
      deny: ['a', { glob: 'b', operations: ['read'] }, 'c'],
    };
    expect(allowMore(levels(own), { globs: ['a', 'b'] })).toEqual({ preset: 'read-only', deny: ['c'] });
    expect(allowMore(levels({ deny: ['a'] }), { globs: ['a'] })).toEqual({});
  });

  test('takes of deny globs what is named, and leaves the operations elsewhere as they are', () => {
    const own: PermissionConfig = { allow: ['read'], deny: ['a', 'b'] };
    expect(allowMore(levels(own), { globs: ['a'], operations: ['write'] })).toEqual({
      allow: ['read'],
      deny: [{ glob: 'a', operations: ['read', 'list', 'remove', 'execute'] }, 'b'],
    });
  });

  test('says so where no rule is there to be taken away', () => {
    const refused = expect.objectContaining({ code: 'UNKNOWN_RULE' });
    expect(() => allowMore(levels({ deny: ['a'] }), { globs: ['b'] })).toThrow(refused);
    expect(() => allowMore(levels({}, { deny: ['a'] }), { globs: ['a'] })).toThrow(/denied to all servers/);
  });

  test('changes nothing where nothing is named', () => {
    const own: PermissionConfig = { preset: 'ask-before-write', deny: ['a'] };
    expect([allowMore(levels(own), {}), denyMore(levels(own), {})]).toEqual([own, own]);
  });

  test('begins with what holds, where nothing is said at this place', () => {
    expect(allowMore(levels({}, { allow: ['list'] }), { operations: ['write'] })).toEqual({
      allow: ['list', 'write'],
    });
  });
});

describe('denying', () => {
  test('takes operations away, asked ones too', () => {
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
  test('takes what was allowed or denied, and leaves the rest', () => {
    const own: PermissionConfig = { allow: ['read', 'write'], deny: ['a'] };
    expect(askBefore(levels(own), { operations: ['write', 'remove'] })).toEqual({
      allow: ['read'],
      ask: ['write', 'remove'],
      deny: ['a'],
    });
    expect(allowMore(levels({ ask: ['write'] }), { operations: ['write'] })).toEqual({ allow: ['write'] });
  });
});

test('a wish is judged before it is granted', () => {
  expect(() => parseWish({ globs: ['['] })).toThrow(expect.objectContaining({ code: 'INVALID_GLOB' }));
  expect(() => parseWish({ operations: ['eat' as 'read'] })).toThrow(
    expect.objectContaining({ code: 'INVALID_POLICY' }),
  );
  expect(parseWish({ operations: ['read'] })).toEqual({ operations: ['read'] });
});
