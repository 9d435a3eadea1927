import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

test('no more than a few are inside, and all get in, in their order', async () => {
  const turnstile = new Turnstile(2);
  const order: number[] = [];
  let inside = 0;
  let most = 0;
  const visits = Array.from({ length: 20 }, async (_, index) => {
    const leave = await turnstile.enter();
    order.push(index);
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
    leave();
    leave();
  });
  await Promise.all(visits);
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('what comes in meanwhile goes first', async () => {
  const turnstile = new Turnstile(1);
  const leave = await turnstile.enter();
  const order: string[] = [];
  const second = turnstile.enter().then(() => order.push('second'));
  leave();
  await Promise.resolve().then(() => order.push('meanwhile'));
  await second;
  expect(order).toEqual(['meanwhile', 'second']);
});
