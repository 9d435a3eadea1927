import { describe, expect, test } from 'vitest';
import type { Operation } from '../../boundary/step/operation.ts';
import type { DenyConfig } from '../../policy/rules/policy-config.ts';
import { allowGlobs, denyGlobs } from './change-deny-rules.ts';

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

  test('takes each glob once, however often it is named', () => {
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
    ['it is denied to all servers, not to this one alone', [], ['a'], all],
  ])('is refused because %s', (reason, own, effective, operations) => {
    expect(() => allowGlobs(own, { globs: ['a'], operations }, effective)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_RULE', data: expect.objectContaining({ glob: 'a', reason }) }),
    );
  });
});
