import { expect, test } from 'vitest';
import { parseOperation } from './parse-operation.ts';

test('reads an operation by its name', () => {
  expect(parseOperation('remove')).toBe('remove');
});

test.each(['', 'Read', 'fly', 'read,write'])('refuses %j, and says what there is', (text) => {
  expect(() => parseOperation(text)).toThrow('is no operation; there are read, list, write, remove, execute');
});
