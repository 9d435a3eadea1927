import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

const patient = { waiting: 100, patience: 60_000 };

test('no more than a few are inside, and all get in, in their order', async () => {
  const turnstile = new Turnstile({ ...patient, inside: 2 });
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
    leave?.();
    leave?.();
  });
  await Promise.all(visits);
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('what comes in meanwhile goes first', async () => {
  const turnstile = new Turnstile({ ...patient, inside: 1 });
  const leave = await turnstile.enter();
  const order: string[] = [];
  const second = turnstile.enter().then(() => order.push('second'));
  leave?.();
  await Promise.resolve().then(() => order.push('meanwhile'));
  await second;
  expect(order).toEqual(['meanwhile', 'second']);
});

test('who would wait for too long, or with too many, is sent away', async () => {
  const turnstile = new Turnstile({ inside: 1, waiting: 2, patience: 30 });
  const leave = await turnstile.enter();
  const [first, second, third] = [turnstile.enter(), turnstile.enter(), turnstile.enter()];
  expect(await third).toBeUndefined();
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  leave?.();
  // Who left without getting in took no place.
  expect(await turnstile.enter()).toBeDefined();
});

test('those who wait can be sent away together', async () => {
  const turnstile = new Turnstile({ ...patient, inside: 1 });
  const leave = await turnstile.enter();
  const waiting = [turnstile.enter(), turnstile.enter()];
  turnstile.dismiss();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  leave?.();
  expect(await turnstile.enter()).toBeDefined();
});
