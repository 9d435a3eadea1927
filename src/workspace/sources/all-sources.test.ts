import { expect, test } from 'vitest';
import { allSources, sourceNames } from './all-sources.ts';

test('the default order is a promise', () => {
  expect(Object.values(allSources).map(({ name, trust }) => `${name}: ${trust}`)).toEqual([
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
  ]);
});

test('every source stands under its own name', () => {
  for (const [name, source] of Object.entries(allSources)) expect(source.name).toBe(name);
  expect(sourceNames).toEqual(Object.keys(allSources));
});

test('what nobody said on purpose is guarded', () => {
  const guarded = Object.values(allSources).filter(({ explicit }) => !explicit);
  expect(guarded.map(({ name }) => name)).toEqual(['client-env', 'walk-up', 'pwd']);
});
