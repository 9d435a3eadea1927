import { expect, test } from 'vitest';
import { describeByText } from './describe-by-text.ts';

test('a place is the project that its last name says, with nothing from the disk', () => {
  expect(describeByText('/nowhere/at/all')).toEqual({
    name: 'all',
    location: '/nowhere/at/all',
    id: expect.stringMatching(/^all-[0-9a-f]{16}$/),
    kind: 'directory',
    markers: [],
  });
  expect(describeByText('/nowhere/at/all')).toEqual(describeByText('/nowhere/at/all'));
  expect(describeByText('/elsewhere/all').id).not.toBe(describeByText('/nowhere/at/all').id);
});

test('a whole file system is called by its path, and a drive keeps its letter', () => {
  expect(describeByText('/').name).toBe('/');
  expect(describeByText('C:\\work\\app').name).toBe('app');
});
