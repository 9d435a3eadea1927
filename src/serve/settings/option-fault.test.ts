import { expect, test } from 'vitest';
import { numberFault, variableFault } from './option-fault.ts';

test.each<[value: unknown, fits: boolean]>([
  [1, true],
  [9, true],
  [0, false],
  [10, false],
  [1.5, false],
  [Number.NaN, false],
  ['5', false],
])('%s among whole numbers from 1 to 9: %s', (value, fits) => {
  expect(numberFault(value, 9)).toBe(fits ? undefined : 'it is no whole number from 1 to 9');
});

test.each([
  ['GOPATH', true],
  ['_x1', true],
  ['A=b', false],
  ['1A', false],
  ['', false],
])('%j as the name of a variable: %s', (name, fits) => {
  expect(variableFault(name) === undefined).toBe(fits);
});
