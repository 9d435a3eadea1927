import { expect, test } from 'vitest';
import { knownMethod } from './known-method.ts';

test('what the protocol knows is named, everything else is one thing', () => {
  expect(knownMethod('tools/call')).toBe('tools/call');
  expect(knownMethod('roots/list')).toBe('roots/list');
  for (const made of ['', 'tools/call2', '__proto__', 'x'.repeat(1_000_000)]) {
    expect(knownMethod(made)).toBe('other');
  }
});
