import { expect, test } from 'vitest';
import { whereCommand } from './where.ts';

test('its help explains usage, flags and exit codes', () => {
  expect(whereCommand.fullDescription).toContain('rootward where --policy');
  expect(whereCommand.fullDescription).toContain('Exit codes: 0 found, 1 not found or ambiguous');
});
