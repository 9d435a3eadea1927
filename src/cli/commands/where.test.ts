import { expect, test } from 'vitest';
import { whereCommand } from './where.ts';

test('tells in its help what it does, how to call it, and what it answers to a program', () => {
  expect(whereCommand.fullDescription).toContain('rootward where --policy');
  expect(whereCommand.fullDescription).toContain('Exit codes: 0 found, 1 not found or ambiguous');
});
