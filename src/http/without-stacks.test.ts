import { expect, test } from 'vitest';
import { withoutStacks } from './without-stacks.ts';

const linesOf = (error: Error): number => (error.stack ?? '').split('\n').length;

test('errors that are made meanwhile do not know the way to them, those made afterwards do', () => {
  const made: Error[] = [];
  withoutStacks(() => made.push(new Error('inside')));
  made.push(new Error('afterwards'));
  expect(made.map((error) => linesOf(error) > 1)).toEqual([false, true]);
});

test('it is over also where that fails', () => {
  const fail = (): void => {
    throw new Error('inside');
  };
  expect(() => withoutStacks(fail)).toThrow('inside');
  expect(linesOf(new Error('afterwards'))).toBeGreaterThan(1);
});
