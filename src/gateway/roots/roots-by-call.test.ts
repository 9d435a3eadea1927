import { expect, test } from 'vitest';
import { RootsByCall } from './roots-by-call.ts';

test('a client is asked with its next call while a question waits, and again after a while', async () => {
  let now = 0;
  let changes = 0;
  const roots = new RootsByCall(
    () => (changes += 1),
    () => now,
  );
  expect(roots.wanted()).toBe(false);
  const asked = roots.ask();
  expect(roots.wanted()).toBe(true);
  roots.said({ roots: [1] });
  expect(await asked).toEqual({ roots: [1] });
  expect([roots.wanted(), changes]).toEqual([false, 0]);
  now = 30_001;
  expect(roots.wanted()).toBe(true);
  roots.said({ roots: [2] });
  expect(changes).toBe(1);
  expect(await roots.ask()).toEqual({ roots: [2] });
});
