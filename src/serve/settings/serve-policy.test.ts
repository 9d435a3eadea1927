import { describe, expect, test } from 'vitest';
import { chooses, servePolicy } from './serve-policy.ts';

describe('the policy of flags and file', () => {
  test.each([
    ['is reading, listing and writing', {}, undefined, { preset: 'write-in-project' }],
    ['is less with --read-only', { readOnly: true }, undefined, { preset: 'read-only' }],
    ['is what the file chose', {}, { preset: 'read-only' }, { preset: 'read-only' }],
    [
      'is what the file chose and more',
      { allow: ['remove'] },
      { allow: ['list', 'remove'] },
      { allow: ['list', 'remove'] },
    ],
    [
      'is the usual, less what the file denies',
      { deny: ['b'] },
      { deny: ['a'] },
      { preset: 'write-in-project', deny: ['a', 'b'] },
    ],
  ] as const)('%s', (_title, flags, file, expected) => {
    expect(servePolicy(flags, file)).toEqual(expected);
  });

  test('refuses contradicting flags', () => {
    expect(() => servePolicy({ readOnly: true, allow: ['write'] })).toThrow('it contradicts --read-only');
  });
});

test('a file with only denials does not change what is allowed', () => {
  expect(
    [{}, { deny: ['a'] }, { allow: ['read'] }, { ask: ['write'] }].map((file) => chooses(file as never)),
  ).toEqual([false, false, true, true]);
});
