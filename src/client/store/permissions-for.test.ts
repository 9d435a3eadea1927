import { describe, expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { decide } from '../../policy/decide.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { findGrant, permissionsFor, rootPermissionsFor, toPolicyConfig } from './permissions-for.ts';
import type { Grant } from './stored-root.ts';

const root = sampleRoot({
  permissions: { allow: ['read', 'list'], deny: ['*.log'] },
  servers: {
    files: { allow: ['write'], deny: ['dist/**'] },
    search: { deny: ['x'] },
    toString: { allow: [] },
  },
});

describe('the permissions of a root', () => {
  test('are those for all servers, unless the server has its own', () => {
    expect(permissionsFor(root, undefined)).toBe(root.permissions);
    expect(permissionsFor(root, 'unknown')).toBe(root.permissions);
    expect(permissionsFor(sampleRoot(), 'constructor')).toEqual({});
  });

  test('are those of the server, plus the denials for all', () => {
    expect(permissionsFor(root, 'files')).toEqual({ allow: ['write'], deny: ['dist/**', '*.log'] });
    expect(permissionsFor(root, 'search')).toEqual({ allow: ['read', 'list'], deny: ['x', '*.log'] });
    expect(permissionsFor(root, 'toString')).toEqual({ allow: [], deny: ['*.log'] });
  });

  test('are limited by the grant of a person', () => {
    const server = { name: 'files', tier: 'stdio', fingerprint: 'aa' } as const;
    const grants = [
      { server: 'files', answer: 'always', date: '2026-01-01', operations: ['read', 'write'] },
    ] as const;
    const granted = sampleRoot({ permissions: { preset: 'ask-before-write' }, grants });
    expect(rootPermissionsFor(granted, server, new Date())).toEqual({
      allow: ['read'],
      ask: ['write'],
      deny: [],
    });
    expect(rootPermissionsFor(root, server, new Date()).allow).toEqual(['write']);
  });
});

test('a policy of roots permits what each of them does, and nothing elsewhere', () => {
  const policy = parsePolicy(toPolicyConfig([root, sampleRoot({ name: 'docs' })], 'files'));
  const verdict = (name: string, operation: 'read' | 'write', relative: string): string =>
    decide(policy, { operation, path: relative }, { root: name, relative }).verdict;
  expect(verdict('app', 'write', 'a.ts')).toBe('allow');
  expect(verdict('app', 'read', 'a.ts')).toBe('deny');
  expect(verdict('app', 'write', 'dist/a.ts')).toBe('deny');
  expect(verdict('docs', 'read', 'a.md')).toBe('allow');
  expect(verdict('docs', 'write', 'a.md')).toBe('deny');
  expect(verdict('docs', 'read', '.env')).toBe('deny');
  expect(verdict('other', 'read', 'a')).toBe('deny');
});

const now = new Date('2026-06-01T00:00:00Z');
const server = { name: 'files', tier: 'remote', fingerprint: 'aa' } as const;
const base: Grant = { server: 'files', answer: 'always', date: '2026-01-01' };

test.each<[string, readonly Grant[], Grant['answer'] | undefined]>([
  ['none at all', [], undefined],
  ['one by name', [base], 'always'],
  ['one for this program', [{ ...base, fingerprint: 'aa' }], 'always'],
  ['one for another program', [{ ...base, fingerprint: 'bb' }], undefined],
  ['one for another server', [{ ...base, server: 'other' }], undefined],
  ['one that has not ended', [{ ...base, until: '2026-06-01T00:00:01Z' }], 'always'],
  ['one that has ended', [{ ...base, until: '2026-06-01T00:00:00Z' }], undefined],
  ['one whose end cannot be read', [{ ...base, until: 'soon' }], undefined],
  ['a no before a later yes', [{ ...base, answer: 'never' }, base], 'never'],
])('%s', (_what, grants, answer) => {
  expect(findGrant(grants, server, now)?.answer).toBe(answer);
});
