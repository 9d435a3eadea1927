import { describe, expect, test } from 'vitest';
import { bearerOf, createTokenCheck, shortestToken } from './check-token.ts';

describe('a token', () => {
  const check = createTokenCheck([{ token: 'one', principal: 'me' }, { token: 'two' }, { token: 'three' }]);

  test('says who comes', () => {
    expect(check('one')).toBe('me');
    expect(check('two')).toMatch(/^token-[0-9a-f]{16}$/);
    expect(check('three')).not.toBe(check('two'));
  });

  test.each(['', 'on', 'onee', 'ONE', 'one ', 'four'])('is not %j', (token) => {
    expect(check(token)).toBeUndefined();
  });

  test('is not what its principal is called after', () => {
    expect(check('two')).not.toContain('two');
  });

  test('has at least 128 bits of hexadecimal digits', () => {
    expect(shortestToken).toBe(32);
  });
});

test.each<[string | undefined, string | undefined]>([
  ['Bearer abc', 'abc'],
  ['bearer a.b~c+d/e_f-g=', 'a.b~c+d/e_f-g='],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  ['Bearer ä', undefined],
  [undefined, undefined],
])('the header %j holds %j', (header, token) => {
  expect(bearerOf(header)).toBe(token);
});
