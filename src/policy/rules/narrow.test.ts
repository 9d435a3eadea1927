import { describe, expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import { decide } from '../decide.ts';
import { narrowPolicy } from './narrow.ts';
import { parsePolicy } from './policy.ts';

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

describe('a policy narrowed by what a client says', () => {
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
