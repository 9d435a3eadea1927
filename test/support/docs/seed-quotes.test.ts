import { expect, test } from 'vitest';
import { digestsOf, quotesFrom } from './seed-quotes.ts';

test('words of the seed become a title, whatever stands between them', () => {
  const quote = quotesFrom('004');
  expect(quote('Must use file:// scheme')).toBe('"Must use file:// scheme"');
  expect(quote('must use `file` scheme')).toBe('"must use `file` scheme"');
});

test.each(['Must use http:// scheme', 'scheme file:// use Must', 'Must use file:// scheme, always'])(
  'words that the seed does not say are refused: %s',
  (words) => {
    expect(() => quotesFrom('004')(words)).toThrow('Seed 004 does not say');
  },
);

test('a quote has three words at least, and does not go over the end of a line', () => {
  expect(() => quotesFrom('004')('Must use')).toThrow('3 words');
  expect(digestsOf('one two three\nfour five six')).toHaveLength(2);
});
