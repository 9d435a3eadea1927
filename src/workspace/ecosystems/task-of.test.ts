import { expect, test } from 'vitest';
import { taskOf } from './task-of.ts';

test.each([
  ['test', 'test'],
  ['test:unit', 'test'],
  ['unit-test', 'test'],
  ['coverage', 'test'],
  ['lint', 'lint'],
  ['typecheck', 'lint'],
  ['check', 'lint'],
  ['fmt', 'format'],
  ['format:write', 'format'],
  ['dev', 'run'],
  ['start', 'run'],
  ['Build', 'build'],
  ['build:css', 'build'],
  ['install', 'install'],
  ['clean', 'clean'],
  ['deploy', 'other'],
  ['testimony', 'other'],
  ['builder', 'other'],
  ['prebuild', 'other'],
])('%s is for %s', (name, task) => {
  expect(taskOf(name)).toBe(task);
});
