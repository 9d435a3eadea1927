import { expect, test } from 'vitest';
import { texts } from './texts.ts';

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [['a', 1, null, ['b'], { c: 'd' }], ['a']],
  ['a', []],
  [{ 0: 'a', length: 1 }, []],
  [undefined, []],
])('%j holds the texts %j', (value, expected) => {
  expect(texts(value)).toEqual(expected);
});
