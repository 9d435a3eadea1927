import { describe, expect, test } from 'vitest';
import { choosePrimary } from './choose-primary.ts';
import type { UsablePlace } from './judge-place.ts';
import { findProfile } from '../sources/profile.ts';
import { allProfiles } from '../profiles/all-profiles.ts';

const place = (path: string): UsablePlace => ({
  path,
  real: path,
  kind: 'directory',
  name: undefined,
  via: undefined,
  trust: 'certain',
});
const several = [place('/a'), place('/b'), place('/b/c')] as const;
const claude = findProfile(allProfiles, 'claude-code');

describe('of several roots', () => {
  test('the one that the variable of the client names is the project', () => {
    const signals = { environment: { CLAUDE_PROJECT_DIR: '/b/' }, cwd: '/a' };
    expect(choosePrimary(several, signals, claude, 'posix')).toMatchObject({
      place: { path: '/b' },
      arbitrary: false,
    });
  });

  test('a variable that names none of them decides nothing', () => {
    const signals = { environment: { CLAUDE_PROJECT_DIR: '/elsewhere' }, cwd: '/b/c/d' };
    expect(choosePrimary(several, signals, claude, 'posix')).toMatchObject({
      place: { path: '/b/c' },
      arbitrary: false,
    });
  });

  test('the innermost that holds the current directory is next', () => {
    expect(choosePrimary(several, { cwd: '/b/x' }, undefined, 'posix').place.path).toBe('/b');
  });

  test('else it is the first, and nothing told so', () => {
    expect(choosePrimary(several, { cwd: '/elsewhere' }, undefined, 'posix')).toMatchObject({
      place: { path: '/a' },
      reason: 'it is the first of 3',
      arbitrary: true,
    });
  });
});

test('a single root needs no choice', () => {
  expect(choosePrimary([place('/a')], {}, undefined, 'posix')).toMatchObject({ arbitrary: false });
});
