import { expect, test } from 'vitest';
import { findCommand } from './find.ts';

test('tells in its help what it does, how to call it, and what it answers to a program', () => {
  expect(findCommand.fullDescription).toContain('rootward find --json');
  expect(findCommand.fullDescription).toContain('Exit codes: 0 found some, 1 found none');
});
