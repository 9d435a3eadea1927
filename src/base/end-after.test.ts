import { expect, test } from 'vitest';
import { endAfter, ended } from './end-after.ts';

function runForever(): never {
  for (;;);
}

test('returns the result of the work, and passes on what it throws', () => {
  expect(endAfter(1_000, () => 'done')).toBe('done');
  expect(endAfter(1_000, () => undefined)).toBe(undefined);
  const error = new RangeError('too deep');
  expect(() =>
    endAfter(1_000, () => {
      throw error;
    }),
  ).toThrow(error);
});

test('interrupts an endless loop, and works again afterwards', () => {
  expect(endAfter(20, runForever)).toBe(ended);
  expect(endAfter(1_000, () => 'done')).toBe('done');
});

test('interrupts a regular expression that backtracks', () => {
  expect(endAfter(20, () => /^(?:a|a)+$/.test(`${'a'.repeat(60)}b`))).toBe(ended);
});

test('the work cannot catch the interruption', () => {
  let caught = 0;
  const stubborn = (): void => {
    try {
      runForever();
    } catch {
      caught += 1;
    }
  };
  expect(endAfter(20, stubborn)).toBe(ended);
  expect(caught).toBe(0);
});
