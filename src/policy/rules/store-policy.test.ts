import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { decide } from '../decide.ts';
import type { PolicyConfig } from './policy-config.ts';
import type { Policy } from './policy.ts';
import { toRootPermissions } from './root-permissions.ts';
import { createStorePolicy } from './store-policy.ts';

const usual: PolicyConfig = { preset: 'write-in-project' };

function permitted(policy: Policy, root: string, relative = 'a'): readonly Operation[] {
  return operations.filter(
    (operation) => decide(policy, { operation, path: relative }, { root, relative }).verdict === 'allow',
  );
}

const stored = new Map([
  ['docs', toRootPermissions({})],
  ['app', toRootPermissions({ allow: ['read', 'list', 'write', 'remove'], deny: ['/dist'] })],
]);

describe('in stored roots', () => {
  test('what the store says holds, less or more than the command would allow elsewhere', () => {
    const policy = createStorePolicy({ policy: usual, limited: false }, stored);
    expect(permitted(policy, 'docs')).toEqual(['read', 'list']);
    expect(permitted(policy, 'app')).toEqual(['read', 'list', 'write', 'remove']);
    expect(permitted(policy, 'app', 'dist/a')).toEqual([]);
    expect(permitted(policy, 'other')).toEqual(['read', 'list', 'write']);
  });

  test('what the command denies is denied, and so are secrets', () => {
    const policy = createStorePolicy({ policy: { ...usual, deny: ['*.sqlite'] }, limited: false }, stored);
    expect(permitted(policy, 'app', 'a.sqlite')).toEqual([]);
    expect(permitted(policy, 'app', '.env')).toEqual([]);
  });

  test('a choice of the command is the most that they get', () => {
    const policy = createStorePolicy({ policy: { preset: 'read-only' }, limited: true }, stored);
    expect(permitted(policy, 'app')).toEqual(['read', 'list']);
    const less = createStorePolicy({ policy: { allow: ['list'] }, limited: true }, stored);
    expect(permitted(less, 'docs')).toEqual(['list']);
  });

  test('a rule of a file for a root of that name is the most that it gets', () => {
    const policy = createStorePolicy(
      {
        policy: { ...usual, roots: { app: { allow: ['read'] }, else: { allow: ['list'] } } },
        limited: false,
      },
      stored,
    );
    expect(permitted(policy, 'app')).toEqual(['read']);
    expect(permitted(policy, 'else')).toEqual(['list']);
  });
});

test('without stored roots the command alone is heard', () => {
  const policy = createStorePolicy({ policy: usual, limited: false }, new Map());
  expect(permitted(policy, 'app')).toEqual(['read', 'list', 'write']);
  expect(policy.roots.size).toBe(0);
});
