import { describe, expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import { compileDenyRule } from './deny-rule.ts';
import { type Choice, createPermissions, saysSomething } from './permissions.ts';

const silent: Choice = { preset: undefined, allow: undefined, ask: undefined };

/** `operation: verdict (rule)` for each operation. */
function verdicts(choice: Partial<Choice>): readonly string[] {
  const permissions = createPermissions({ ...silent, ...choice }, [], { platform: 'posix' });
  return operations.map((operation) => {
    const { verdict, rule } = permissions.verdicts[operation];
    return `${operation}: ${verdict} (${rule})`;
  });
}

describe('the verdicts', () => {
  test('of nobody are read-only', () => {
    expect(verdicts({})).toEqual([
      'read: allow (preset:read-only)',
      'list: allow (preset:read-only)',
      'write: deny (preset:read-only)',
      'remove: deny (preset:read-only)',
      'execute: deny (preset:read-only)',
    ]);
  });

  test('of a preset are the preset', () => {
    expect(verdicts({ preset: 'ask-before-write' })).toEqual([
      'read: allow (preset:ask-before-write)',
      'list: allow (preset:ask-before-write)',
      'write: ask (preset:ask-before-write)',
      'remove: ask (preset:ask-before-write)',
      'execute: deny (preset:ask-before-write)',
    ]);
  });

  test('of a list are the list, and the rest is denied', () => {
    expect(verdicts({ allow: ['read'] })).toEqual([
      'read: allow (allow:read)',
      'list: deny (not-allowed:list)',
      'write: deny (not-allowed:write)',
      'remove: deny (not-allowed:remove)',
      'execute: deny (not-allowed:execute)',
    ]);
  });

  test('of an empty list are no and no and no', () => {
    expect(verdicts({ allow: [] }).every((line) => line.includes('deny (not-allowed:'))).toBe(true);
  });

  test('of a question alone allow nothing beside it', () => {
    expect(verdicts({ ask: ['write'] })).toContain('write: ask (ask:write)');
    expect(verdicts({ ask: ['write'] })).toContain('read: deny (not-allowed:read)');
  });

  test('of lists go before those of the preset', () => {
    expect(verdicts({ preset: 'write-in-project', allow: ['execute'], ask: ['write', 'remove'] })).toEqual([
      'read: allow (preset:write-in-project)',
      'list: allow (preset:write-in-project)',
      'write: ask (ask:write)',
      'remove: ask (ask:remove)',
      'execute: allow (allow:execute)',
    ]);
  });
});

test('a rule denies the operations that it names and no others', () => {
  const rule = compileDenyRule(
    { glob: '*.lock', operations: ['write', 'remove'], reason: 'x' },
    { platform: 'posix' },
  );
  const { denials } = createPermissions(silent, [rule], { platform: 'posix' });
  expect(operations.filter((operation) => denials[operation]('a.lock') !== undefined)).toEqual([
    'write',
    'remove',
  ]);
});

test('an empty list says something', () => {
  expect(saysSomething(silent)).toBe(false);
  expect(saysSomething({ ...silent, ask: [] })).toBe(true);
});
