import { expect, test } from 'vitest';
import { asksIn, inputRequestsIn } from './asks-in.ts';
import type { WireRecord } from './wires.ts';

const records: readonly WireRecord[] = [
  { from: 'server', message: { id: 1, method: 'roots/list' } },
  { from: 'client', message: { id: 2, method: 'roots/list' } },
  { from: 'server', message: { id: 3, result: { inputRequests: { a: { method: 'roots/list' }, b: null } } } },
  { from: 'server', message: { id: 4, result: null } },
  { from: 'server', message: { id: 5, method: 'elicitation/create' } },
];

test('counts requests and questions in results, of the server alone', () => {
  expect(asksIn(records)).toBe(2);
  expect(asksIn(records, 'elicitation/create')).toBe(1);
  expect(asksIn([])).toBe(0);
});

test('a result without questions has none', () => {
  expect(inputRequestsIn({ result: null })).toEqual({});
  expect(inputRequestsIn({ result: { inputRequests: { a: 1 } } })).toEqual({ a: 1 });
});
