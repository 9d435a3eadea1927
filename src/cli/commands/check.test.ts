import { expect, test } from 'vitest';
import { checkCommand } from './check.ts';

test('its help explains usage, flags and exit codes', () => {
  const { fullDescription } = checkCommand;
  expect(fullDescription).toContain('without doing anything');
  expect(fullDescription).toContain('rootward check read');
  expect(fullDescription).toContain('Exit codes: 0 allowed, 1 refused');
});
