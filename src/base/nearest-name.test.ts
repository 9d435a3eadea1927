import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const names = ['READ_ONLY', 'HOST', 'HOME', 'DIRECTORIES', 'TOKEN', 'TOKEN_FILE'];

test.each([
  ['READ_ONYL', 'READ_ONLY'],
  ['READONLY', 'READ_ONLY'],
  ['HOSTS', 'HOST'],
  ['DIRECTORY', 'DIRECTORIES'],
  ['TOKENFILE', 'TOKEN_FILE'],
  ['TOKEN', 'TOKEN'],
])('%s is meant as %s', (said, meant) => {
  expect(nearestName(said, names)).toBe(meant);
});

test.each(['PORT', 'X', '', 'SOMETHING_ELSE', 'X'.repeat(10_000_000)])(
  '%.20j is like none of them',
  (said) => {
    expect(nearestName(said, names)).toBeUndefined();
  },
);
