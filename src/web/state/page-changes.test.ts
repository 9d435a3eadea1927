import { expect, test } from 'vitest';
import { changes } from './page-changes.ts';

test('every change refuses unknown fields', () => {
  for (const [path, { input }] of Object.entries(changes)) {
    expect(path).toMatch(/^\/api\/[a-z/]+$/);
    expect(input.safeParse({ surprise: true }).success).toBe(false);
    expect(input.safeParse(undefined).success).toBe(false);
  }
});

test('an operation is a known one, in one of three states', () => {
  const input = changes['/api/roots/permit']?.input;
  for (const state of ['allow', 'ask', 'deny'])
    expect(input?.safeParse({ root: 'a', operation: 'read', state }).success).toBe(true);
  expect(input?.safeParse({ root: 'a', operation: 'read', state: 'maybe' }).success).toBe(false);
  expect(input?.safeParse({ root: 'a', operation: 'everything', state: 'allow' }).success).toBe(false);
  expect(input?.safeParse({ root: '', operation: 'read', state: 'allow' }).success).toBe(false);
});
