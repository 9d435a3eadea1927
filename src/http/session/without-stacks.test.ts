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

test('where the length of stacks is fixed, they are as long as ever', () => {
  const before = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit') ?? {};
  Object.defineProperty(Error, 'stackTraceLimit', { value: 10, writable: false, configurable: true });
  try {
    const made: Error[] = [];
    withoutStacks(() => made.push(new Error('inside')));
    expect(made.map((error) => linesOf(error) > 1)).toEqual([true]);
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', before);
  }
});
