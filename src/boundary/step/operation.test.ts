import { expect, test } from 'vitest';
import { operations } from './operation.ts';

test('there are five operations, from the harmless one to the others', () => {
  expect(operations).toEqual(['read', 'list', 'write', 'remove', 'execute']);
});
