import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { operator } from './operator.ts';

test('offers the directories that the operator named', () => {
  const ceiling = parseRoots([{ uri: 'file:///a' }], { platform: 'posix' }).roots;
  expect(operator.offer({ ceiling }, undefined)).toEqual({ places: [{ text: '/a', name: 'a' }] });
  expect(operator.offer({}, undefined)).toHaveProperty('none');
});
