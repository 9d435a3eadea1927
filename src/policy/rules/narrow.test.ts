import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { createStepGuard } from '../decide.ts';
import { decide } from '../decide.ts';
import { createStorePolicy, narrowPlaces, narrowPolicy, type PlacePermissions } from './narrow.ts';
import type { PolicyConfig } from './policy-config.ts';
import { parsePolicy, type Policy } from './policy.ts';
import { toRootPermissions } from './root-permissions.ts';

const policy = parsePolicy({
  allow: ['read', 'list', 'write'],
  ask: ['remove'],
  deny: ['/dist'],
  roots: { docs: { allow: ['list'] } },
});

function verdict(
  of: typeof policy,
  operation: (typeof operations)[number],
  root: string,
  relative = 'a',
): string {
  return decide(of, { operation, path: relative }, { root, relative }).verdict;
}

describe("a policy narrowed by a client's permissions", () => {
  const said = { allow: operations, ask: [], deny: [{ glob: 'secret/**' }] };
  const narrow = narrowPolicy(
    policy,
    new Map([
      ['app', said],
      ['docs', said],
    ]),
  );

  test('never permits more than before', () => {
    expect(operations.map((operation) => verdict(narrow, operation, 'app'))).toEqual(
      operations.map((operation) => verdict(policy, operation, 'app')),
    );
    expect(verdict(narrow, 'read', 'docs')).toBe('deny');
    expect(verdict(narrow, 'read', 'app', 'dist/a')).toBe('deny');
  });

  test('denies what either side denies', () => {
    expect(verdict(policy, 'read', 'app', 'secret/a')).toBe('allow');
    expect(verdict(narrow, 'read', 'app', 'secret/a')).toBe('deny');
  });

  test('takes the stricter verdict', () => {
    const less = narrowPolicy(policy, new Map([['app', { allow: ['remove'], ask: ['read'], deny: [] }]]));
    expect(operations.map((operation) => verdict(less, operation, 'app'))).toEqual([
      'ask',
      'deny',
      'deny',
      'ask',
      'deny',
    ]);
  });

  test('leaves other roots as they are', () => {
    expect(verdict(narrow, 'read', 'other', 'secret/a')).toBe('allow');
    expect(verdict(policy, 'read', 'app', 'secret/a')).toBe('allow');
  });
});

const policyNarrowPlaces = parsePolicy({
  allow: ['read', 'list', 'write'],
  ask: ['remove'],
  deny: ['/app/dist'],
});

function place(relative: string, permissions: Partial<PlacePermissions['permissions']>): PlacePermissions {
  return { root: 'srv', relative, permissions: { allow: [], ask: [], deny: [], ...permissions } };
}

function verdictNarrowPlaces(of: Policy, operation: Operation, relative: string): string {
  return decide(of, { operation, path: relative }, { root: 'srv', relative }).verdict;
}

test('permissions for a whole root apply to the root itself and its content', () => {
  const narrow = narrowPlaces(policyNarrowPlaces, [place('.', { allow: ['read'] })]);
  expect(['.', 'a', 'app/a'].map((path) => verdictNarrowPlaces(narrow, 'list', path))).toEqual([
    'deny',
    'deny',
    'deny',
  ]);
  expect(verdictNarrowPlaces(narrow, 'read', 'app/a')).toBe('allow');
  expect(verdictNarrowPlaces(policyNarrowPlaces, 'list', 'app/a')).toBe('allow');
});

describe('permissions for a part of a root', () => {
  const narrow = narrowPlaces(policyNarrowPlaces, [
    place('app', { allow: operations.slice(0, 2), deny: [{ glob: '/x' }] }),
  ]);

  test('apply there, and nowhere else', () => {
    expect(['app', 'app/a', 'app/b/c'].map((path) => verdictNarrowPlaces(narrow, 'write', path))).toEqual([
      'deny',
      'deny',
      'deny',
    ]);
    expect(['a', 'apple/a', 'b/app/a'].map((path) => verdictNarrowPlaces(narrow, 'write', path))).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
    expect(verdictNarrowPlaces(narrow, 'read', 'app/a')).toBe('allow');
  });

  test('have globs that start at that part', () => {
    expect(verdictNarrowPlaces(narrow, 'read', 'app/x/y')).toBe('deny');
    expect(verdictNarrowPlaces(narrow, 'read', 'x/y')).toBe('allow');
    expect(verdictNarrowPlaces(narrow, 'read', 'app/y/x')).toBe('allow');
  });

  test('leave the rules of the root in place', () => {
    expect(verdictNarrowPlaces(narrow, 'read', 'app/dist/a')).toBe('deny');
  });

  test('apply to the opened names, whatever their case', () => {
    const guard = createStepGuard(narrow, 'srv', 'write');
    expect(guard('app', false)?.verdict).toBe('deny');
    expect(guard('APP/a', true)?.verdict).toBe('deny');
    expect(guard('other', false)).toBeUndefined();
  });
});

test('of two parts that hold a path both must permit', () => {
  const narrow = narrowPlaces(policyNarrowPlaces, [
    place('app', { allow: ['read', 'list'] }),
    place('app/notes', { allow: ['read', 'list', 'write'] }),
  ]);
  expect(verdictNarrowPlaces(narrow, 'write', 'app/notes/a')).toBe('deny');
  const inner = narrowPlaces(policyNarrowPlaces, [
    place('app', { allow: ['read', 'write', 'list'] }),
    place('app/notes', { allow: ['read'] }),
  ]);
  expect(verdictNarrowPlaces(inner, 'write', 'app/a')).toBe('allow');
  expect(verdictNarrowPlaces(inner, 'write', 'app/notes/a')).toBe('deny');
});

test('two entries for one place permit what both permit', () => {
  const narrow = narrowPlaces(policyNarrowPlaces, [
    place('.', { allow: ['read', 'list'] }),
    place('.', { allow: ['list', 'write'] }),
  ]);
  expect(
    ['read', 'list', 'write'].map((name) => verdictNarrowPlaces(narrow, name as Operation, 'a')),
  ).toEqual(['deny', 'allow', 'deny']);
});

describe('a question', () => {
  const asking = [place('app', { ask: operations })];

  test('is asked where the root allows', () => {
    expect(verdictNarrowPlaces(narrowPlaces(policyNarrowPlaces, asking), 'write', 'app/a')).toBe('ask');
  });

  test('never replaces a denial of the root, nor its own question', () => {
    const narrow = narrowPlaces(policyNarrowPlaces, asking);
    expect(verdictNarrowPlaces(policyNarrowPlaces, 'execute', 'app/a')).toBe('deny');
    expect(verdictNarrowPlaces(narrow, 'execute', 'app/a')).toBe('deny');
    expect(
      decide(narrow, { operation: 'remove', path: 'app/a' }, { root: 'srv', relative: 'app/a' }).rule,
    ).toBe('ask:remove');
  });
});

test('roots without entries stay as they are', () => {
  const narrow = narrowPlaces(policyNarrowPlaces, [place('.', {})]);
  expect(decide(narrow, { operation: 'read', path: 'a' }, { root: 'other', relative: 'a' }).verdict).toBe(
    'allow',
  );
  expect(narrowPlaces(policyNarrowPlaces, []).roots).toEqual(policyNarrowPlaces.roots);
});

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
  test("the store's permissions apply, whether less or more than the command allows elsewhere", () => {
    const policy = createStorePolicy({ policy: usual, limited: false }, stored);
    expect(permitted(policy, 'docs')).toEqual(['read', 'list']);
    expect(permitted(policy, 'app')).toEqual(['read', 'list', 'write', 'remove']);
    expect(permitted(policy, 'app', 'dist/a')).toEqual([]);
    expect(permitted(policy, 'other')).toEqual(['read', 'list', 'write']);
  });

  test('denials of the command apply, including secrets', () => {
    const policy = createStorePolicy({ policy: { ...usual, deny: ['*.sqlite'] }, limited: false }, stored);
    expect(permitted(policy, 'app', 'a.sqlite')).toEqual([]);
    expect(permitted(policy, 'app', '.env')).toEqual([]);
  });

  test('an explicit choice of the command is the upper limit', () => {
    const policy = createStorePolicy({ policy: { preset: 'read-only' }, limited: true }, stored);
    expect(permitted(policy, 'app')).toEqual(['read', 'list']);
    const less = createStorePolicy({ policy: { allow: ['list'] }, limited: true }, stored);
    expect(permitted(less, 'docs')).toEqual(['list']);
  });

  test('a rule of a file for a root of that name is the upper limit', () => {
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

test("without stored roots the command's policy applies", () => {
  const policy = createStorePolicy({ policy: usual, limited: false }, new Map());
  expect(permitted(policy, 'app')).toEqual(['read', 'list', 'write']);
  expect(policy.roots.size).toBe(0);
});
