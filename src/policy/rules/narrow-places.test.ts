import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { decide } from '../decide.ts';
import { narrowPlaces, type PlacePermissions } from './narrow-places.ts';
import { parsePolicy, type Policy } from './policy.ts';
import { createStepGuard } from '../step-guard.ts';

const policy = parsePolicy({ allow: ['read', 'list', 'write'], ask: ['remove'], deny: ['/app/dist'] });

function place(relative: string, permissions: Partial<PlacePermissions['permissions']>): PlacePermissions {
  return { root: 'srv', relative, permissions: { allow: [], ask: [], deny: [], ...permissions } };
}

function verdict(of: Policy, operation: Operation, relative: string): string {
  return decide(of, { operation, path: relative }, { root: 'srv', relative }).verdict;
}

test('what is said about a whole root holds for the root itself and all that is in it', () => {
  const narrow = narrowPlaces(policy, [place('.', { allow: ['read'] })]);
  expect(['.', 'a', 'app/a'].map((path) => verdict(narrow, 'list', path))).toEqual(['deny', 'deny', 'deny']);
  expect(verdict(narrow, 'read', 'app/a')).toBe('allow');
  expect(verdict(policy, 'list', 'app/a')).toBe('allow');
});

describe('what is said about a part of a root', () => {
  const narrow = narrowPlaces(policy, [
    place('app', { allow: operations.slice(0, 2), deny: [{ glob: '/x' }] }),
  ]);

  test('holds there, and nowhere else', () => {
    expect(['app', 'app/a', 'app/b/c'].map((path) => verdict(narrow, 'write', path))).toEqual([
      'deny',
      'deny',
      'deny',
    ]);
    expect(['a', 'apple/a', 'b/app/a'].map((path) => verdict(narrow, 'write', path))).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
    expect(verdict(narrow, 'read', 'app/a')).toBe('allow');
  });

  test('has globs that begin at that part', () => {
    expect(verdict(narrow, 'read', 'app/x/y')).toBe('deny');
    expect(verdict(narrow, 'read', 'x/y')).toBe('allow');
    expect(verdict(narrow, 'read', 'app/y/x')).toBe('allow');
  });

  test('leaves the rules of the root where they are', () => {
    expect(verdict(narrow, 'read', 'app/dist/a')).toBe('deny');
  });

  test('holds for names as they are opened, whatever their case', () => {
    const guard = createStepGuard(narrow, 'srv', 'write');
    expect(guard('app', false)?.verdict).toBe('deny');
    expect(guard('APP/a', true)?.verdict).toBe('deny');
    expect(guard('other', false)).toBeUndefined();
  });
});

test('of two parts that hold a path both must permit', () => {
  const narrow = narrowPlaces(policy, [
    place('app', { allow: ['read', 'list'] }),
    place('app/notes', { allow: ['read', 'list', 'write'] }),
  ]);
  expect(verdict(narrow, 'write', 'app/notes/a')).toBe('deny');
  const inner = narrowPlaces(policy, [
    place('app', { allow: ['read', 'write', 'list'] }),
    place('app/notes', { allow: ['read'] }),
  ]);
  expect(verdict(inner, 'write', 'app/a')).toBe('allow');
  expect(verdict(inner, 'write', 'app/notes/a')).toBe('deny');
});

test('the same place said twice permits what both permit', () => {
  const narrow = narrowPlaces(policy, [
    place('.', { allow: ['read', 'list'] }),
    place('.', { allow: ['list', 'write'] }),
  ]);
  expect(['read', 'list', 'write'].map((name) => verdict(narrow, name as Operation, 'a'))).toEqual([
    'deny',
    'allow',
    'deny',
  ]);
});

describe('a question', () => {
  const asking = [place('app', { ask: operations })];

  test('is put where the root allows', () => {
    expect(verdict(narrowPlaces(policy, asking), 'write', 'app/a')).toBe('ask');
  });

  test('never stands in for a no of the root, nor for its own question', () => {
    const narrow = narrowPlaces(policy, asking);
    expect(verdict(policy, 'execute', 'app/a')).toBe('deny');
    expect(verdict(narrow, 'execute', 'app/a')).toBe('deny');
    expect(
      decide(narrow, { operation: 'remove', path: 'app/a' }, { root: 'srv', relative: 'app/a' }).rule,
    ).toBe('ask:remove');
  });
});

test('roots that nothing is said about stay as they are', () => {
  const narrow = narrowPlaces(policy, [place('.', {})]);
  expect(decide(narrow, { operation: 'read', path: 'a' }, { root: 'other', relative: 'a' }).verdict).toBe(
    'allow',
  );
  expect(narrowPlaces(policy, []).roots).toEqual(policy.roots);
});
