import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Operation } from '../../boundary/step/operation.ts';
import { decide } from '../decide.ts';
import { bindRules, type RuledRoot } from './bind-rules.ts';
import { parsePolicy } from './policy.ts';

const roots: readonly RuledRoot[] = [
  { name: 'app', given: 'app', path: '/a/app' },
  { name: 'app-2', given: 'app', path: '/b/app' },
  { name: 'docs', given: 'docs', path: join(homedir(), 'docs') },
  // A client may name its root as it likes.
  { name: '/a/app', given: '/a/app', path: '/evil' },
];

function verdictOf(config: object, root: string, operation: Operation, relative = 'x'): string {
  const { policy } = bindRules(parsePolicy(config), roots);
  return decide(policy, { operation, path: relative }, { root, relative }).verdict;
}

const writable = { allow: ['read', 'write'] };

test('a name that one root has applies to that root', () => {
  expect(verdictOf({ roots: { docs: writable } }, 'docs', 'write')).toBe('allow');
  expect(verdictOf({ roots: { docs: writable } }, 'app', 'write')).toBe('deny');
});

test('a name that several roots have restricts all of them, and permits nothing new', () => {
  for (const root of ['app', 'app-2']) {
    expect(verdictOf({ roots: { app: writable } }, root, 'write')).toBe('deny');
    expect(verdictOf({ roots: { app: writable } }, root, 'list')).toBe('deny');
    expect(verdictOf({ roots: { app: { deny: ['x'] } } }, root, 'read')).toBe('deny');
  }
});

test('a path refers to one root, however it is written, and never to a name', () => {
  for (const key of ['/b/app', '/b/app/', '/b/./app', 'file:///b/app'])
    expect(verdictOf({ roots: { [key]: writable } }, 'app-2', 'write')).toBe('allow');
  expect(verdictOf({ roots: { '~/docs': writable } }, 'docs', 'write')).toBe('allow');
  expect(verdictOf({ roots: { '/a/app': writable } }, '/a/app', 'write')).toBe('deny');
});

test('if a path and a name match, both must permit', () => {
  const config = { roots: { docs: { deny: ['x'] }, '~/docs': writable } };
  expect(verdictOf(config, 'docs', 'read')).toBe('deny');
  expect(verdictOf(config, 'docs', 'write', 'y')).toBe('deny');
});

test('reports rules that match no root or several', () => {
  const { notes } = bindRules(parsePolicy({ roots: { app: {}, other: {}, '/nowhere': {} } }), roots);
  expect(notes).toEqual([
    expect.stringContaining('2 roots are called "app"'),
    'the rules for "other" fit no root',
    'the rules for "/nowhere" fit no root',
  ]);
  expect(bindRules(parsePolicy({}), roots).notes).toEqual([]);
});
