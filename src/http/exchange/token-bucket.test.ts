import { expect, test } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

test('says yes so many times at once, and so many times a second after that', () => {
  let time = 0;
  const take = createTokenBucket({ perSecond: 2, burst: 3, now: () => time });
  const yes = (): number => Array.from({ length: 10 }, take).filter(Boolean).length;
  expect(yes()).toBe(3);
  time = 499;
  expect(yes()).toBe(0);
  time = 1_200;
  expect(yes()).toBe(2);
  time = 1_000_000;
  expect(yes()).toBe(3);
});
