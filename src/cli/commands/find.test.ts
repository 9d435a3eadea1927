import { expect, test } from 'vitest';
import { findCommand } from './find.ts';

test('its help explains usage, flags and exit codes', () => {
  expect(findCommand.fullDescription).toContain('rootward find --json');
  expect(findCommand.fullDescription).toContain('Exit codes: 0 found some, 1 found none');
});
