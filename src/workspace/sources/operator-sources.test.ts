import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { argument, operator, pinned, switched } from './operator-sources.ts';

test('offers what the call names', () => {
  expect(argument.offer({ argument: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(argument.offer({}, undefined)).toEqual({ none: 'the call names no directory' });
});

test('is bounded, because a model chose it', () => {
  expect(argument.bounded).toBe(true);
});

test('offers what the operator pinned', () => {
  expect(pinned.offer({ pinned: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(pinned.offer({}, undefined)).toHaveProperty('none');
});

test('offers what was switched to, within bounds', () => {
  expect(switched.offer({ switched: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(switched.offer({}, undefined)).toHaveProperty('none');
  expect(switched.bounded).toBe(true);
});

test('offers the directories that the operator named', () => {
  const ceiling = parseRoots([{ uri: 'file:///a' }], { platform: 'posix' }).roots;
  expect(operator.offer({ ceiling }, undefined)).toEqual({ places: [{ text: '/a', name: 'a' }] });
  expect(operator.offer({}, undefined)).toHaveProperty('none');
});
