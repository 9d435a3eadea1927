import { describe, expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import { decide } from '../decide.ts';
import { parsePolicy } from './policy.ts';
import { findSecretPlace, judgeSecretPaths } from './secret-paths.ts';

const policy = parsePolicy({ allow: operations });

describe('a place is secret as a whole', () => {
  test.each([
    '/home/me/.ssh',
    '/home/me/.ssh/keys',
    '/home/me/.SSH/keys',
    '/home/me/.aws',
    '/home/me/.gnupg/private-keys-v1.d',
    '/home/me/.kube',
    '/home/me/.config/gh',
    '/home/me/.config/google-chrome/Default',
    '/home/me/.mozilla/firefox',
    '/Users/me/Library/Keychains',
    'C:\\Users\\me\\.ssh',
    'C:\\Users\\me\\AppData\\Local\\Google\\Chrome\\User Data',
    '/home/me/.npmrc',
  ])('%s', (path) => {
    expect(findSecretPlace(policy, ['/home/me/app', path])).toMatchObject({ verdict: 'deny' });
    expect(findSecretPlace(parsePolicy({ secrets: false }), [path])).toBeUndefined();
  });

  test.each([
    '/home/me',
    '/home/me/app',
    '/home/me/ssh',
    '/home/me/.config',
    '/x/.git/hooks',
    '/',
    'C:\\code',
  ])('but not %s', (path) => {
    expect(findSecretPlace(policy, [path])).toBeUndefined();
  });
});

describe('a root is judged by its whole path', () => {
  const verdictOf = (path: string, named: boolean, operation: 'read' | 'write', relative: string) =>
    decide(
      judgeSecretPaths(policy, [{ name: 'root', paths: [path], named }]),
      { operation, path: relative },
      { root: 'root', relative },
    ).verdict;

  test.each([
    ['/x/.git/hooks', 'write', 'pre-commit'],
    ['/x/.git/hooks', 'write', '.'],
    ['/x/.git', 'read', 'config'],
    ['/home/me/.config', 'read', 'gh/hosts.yml'],
    ['/home/me/.docker', 'read', 'config.json'],
    ['/home/me/.ssh/keys', 'read', 'work'],
  ] as const)('%s: %s %s', (path, operation, relative) => {
    expect(verdictOf(path, false, operation, relative)).toBe('deny');
  });

  test('what lies in a root of the operator is judged too, its position is not', () => {
    expect(verdictOf('/home/me/.docker', true, 'read', 'config.json')).toBe('deny');
    expect(verdictOf('/home/me/.ssh', true, 'read', 'known_hosts')).toBe('allow');
    expect(verdictOf('/home/me/.ssh', true, 'read', '.')).toBe('allow');
    expect(verdictOf('/x/.git/hooks', true, 'write', 'pre-commit')).toBe('allow');
  });

  test('a link counts by both of its names', () => {
    const judged = judgeSecretPaths(policy, [{ name: 'a', paths: ['/x/a', '/x/.ssh'], named: false }]);
    expect(decide(judged, { operation: 'read', path: 'b' }, { root: 'a', relative: 'b' }).rule).toBe(
      'deny:.ssh',
    );
  });
});
