import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

const many = { waiting: 100 };
const patient = { milliseconds: 10_000, signal: new AbortController().signal };

test('admits a few at a time, the others in order of arrival', async () => {
  const turnstile = new Turnstile({ ...many, places: 2 });
  const order: number[] = [];
  let inside = 0;
  let most = 0;
  const visits = Array.from({ length: 20 }, async (_, index) => {
    const leave = await turnstile.enter(patient);
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

test('pending I/O runs before the next caller', async () => {
  const turnstile = new Turnstile({ ...many, places: 1 });
  const leave = await turnstile.enter(patient);
  const order: string[] = [];
  const second = turnstile.enter(patient).then(() => order.push('second'));
  leave?.();
  await Promise.resolve().then(() => order.push('meanwhile'));
  await second;
  expect(order).toEqual(['meanwhile', 'second']);
});

test('refuses a caller when the wait is too long or the queue is full', async () => {
  const turnstile = new Turnstile({ places: 1, waiting: 2 });
  const leave = await turnstile.enter(patient);
  const [first, second, third] = Array.from({ length: 3 }, () => turnstile.enter({ milliseconds: 30 }));
  expect(await third).toBeUndefined();
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  leave?.();
  // The caller that gave up took no place.
  expect(await turnstile.enter(patient)).toBeDefined();
});

test('dismiss refuses all waiting callers', async () => {
  const turnstile = new Turnstile({ ...many, places: 1 });
  const leave = await turnstile.enter(patient);
  const waiting = [turnstile.enter(patient), turnstile.enter(patient)];
  turnstile.dismiss();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  leave?.();
  expect(await turnstile.enter(patient)).toBeDefined();
});

/** Work that ends on demand. */
function work(): {
  readonly run: () => Promise<string>;
  readonly end: () => void;
  readonly begun: Promise<void>;
} {
  let end = (): void => undefined;
  let begin = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return { run: async () => (begin(), await ended, 'done'), end: () => end(), begun };
}

test('runs a few at a time, the others in order', async () => {
  const turnstile = new Turnstile({ places: 2, waiting: 10 });
  const order: number[] = [];
  let most = 0;
  let running = 0;
  const one = (index: number) => async (): Promise<void> => {
    order.push(index);
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 9 }, (_, index) => turnstile.pass(one(index), patient)));
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('is full when the queue is full or the wait is too long', async () => {
  const turnstile = new Turnstile({ places: 1, waiting: 1 });
  const first = work();
  const running = turnstile.pass(first.run, patient);
  const late = turnstile.pass(async () => 'late', { ...patient, milliseconds: 1 });
  expect(await turnstile.pass(async () => 'third', patient)).toBe('full');
  expect(await late).toBe('full');
  const next = turnstile.pass(async () => 'next', patient);
  first.end();
  expect(await running).toBe('done');
  expect(await next).toBe('next');
});

test('a caller that gives up takes no place, and a failure frees it', async () => {
  const turnstile = new Turnstile({ places: 1, waiting: 5 });
  const first = work();
  const running = turnstile.pass(first.run, patient);
  await first.begun;
  const giving = new AbortController();
  const given = turnstile.pass(async () => 'never', { ...patient, signal: giving.signal });
  const failing = turnstile.pass(() => Promise.reject(new Error('mine')), patient);
  const last = turnstile.pass(async () => 'last', patient);
  giving.abort();
  await expect(given).rejects.toThrow('aborted');
  first.end();
  expect(await running).toBe('done');
  await expect(failing).rejects.toThrow('mine');
  expect(await last).toBe('last');
  expect(await turnstile.pass(async () => 'free', patient)).toBe('free');
  await expect(turnstile.pass(async () => 1, { ...patient, signal: AbortSignal.abort() })).rejects.toThrow(
    'aborted',
  );
});
