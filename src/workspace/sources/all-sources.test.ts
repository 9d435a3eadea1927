import { expect, test } from 'vitest';
import { allSources, sourceNames } from './all-sources.ts';

/** A source that is new may stand anywhere among these. */
const promised = [
  'argument: certain',
  'pinned: certain',
  'switched: certain',
  'request-meta: certain',
  'roots: certain',
  'remembered: likely',
  'initialize: likely',
  'client-env: likely',
  'operator: likely',
  'walk-up: likely',
  'pwd: weak',
];

test('the default order is a promise', () => {
  const order = Object.values(allSources).map(({ name, trust }) => `${name}: ${trust}`);
  expect(order.filter((line) => promised.includes(line))).toEqual(promised);
});

test('every source stands under its own name', () => {
  for (const [name, source] of Object.entries(allSources)) expect(source.name).toBe(name);
  expect(sourceNames).toEqual(Object.keys(allSources));
});

test('guesses are guarded', () => {
  for (const name of ['client-env', 'walk-up', 'pwd'] as const) expect(allSources[name].explicit).toBe(false);
});
