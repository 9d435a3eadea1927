import { expect, test } from 'vitest';
import { checkCommand } from './check.ts';

test('tells in its help what it does, how to call it, and what it answers to a program', () => {
  const { fullDescription } = checkCommand;
  expect(fullDescription).toContain('does nothing');
  expect(fullDescription).toContain('rootward check read');
  expect(fullDescription).toContain('Exit codes: 0 allowed, 1 refused');
});
