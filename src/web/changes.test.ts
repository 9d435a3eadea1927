import { expect, test } from 'vitest';
import { changes } from './changes.ts';

test('every change refuses what it does not know', () => {
  for (const [path, { input }] of Object.entries(changes)) {
    expect(path).toMatch(/^\/api\/[a-z/]+$/);
    expect(input.safeParse({ surprise: true }).success).toBe(false);
    expect(input.safeParse(undefined).success).toBe(false);
  }
});

test('an operation is one of those that there are', () => {
  const input = changes['/api/roots/permit']?.input;
  expect(input?.safeParse({ root: 'a', operation: 'read', allowed: true }).success).toBe(true);
  expect(input?.safeParse({ root: 'a', operation: 'everything', allowed: true }).success).toBe(false);
  expect(input?.safeParse({ root: '', operation: 'read', allowed: true }).success).toBe(false);
});
