import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

function work(turns: Turns): void {
  while (!turns.isOver);
}

test('a turn ends, and after it another begins', async () => {
  const turns = new Turns();
  expect(turns.isOver).toBe(false);
  work(turns);
  let others = 0;
  setImmediate(() => (others += 1));
  await turns.next();
  expect(others).toBe(1);
  expect(turns.isOver).toBe(false);
});

test('work that was cancelled ends with its turn', async () => {
  const cancel = new AbortController();
  const turns = new Turns(cancel.signal);
  work(turns);
  cancel.abort(new Error('enough'));
  await expect(turns.next()).rejects.toThrow('enough');
});
