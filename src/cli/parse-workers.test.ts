import { expect, test } from 'vitest';
import { parseWorkers } from './parse-workers.ts';

test.each(['1', '4', '999'])('%s is a number of processes', (text) => {
  expect(parseWorkers(text)).toBe(Number(text));
});

test.each(['', '0', '-1', '1.5', 'four', '1000'])('%j is none', (text) => {
  expect(() => parseWorkers(text)).toThrow('from 1 to 999');
});
