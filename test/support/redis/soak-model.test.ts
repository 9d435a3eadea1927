import { describe, expect, test } from 'vitest';
import { Disturbances, Effects, RootsModel } from './soak-model.ts';

describe('the model of roots', () => {
  test('allows what the client has from the beginning', () => {
    expect(new RootsModel('red').allowed(1, 2)).toEqual(new Set(['red']));
  });

  test('allows nothing old once a change was accepted', () => {
    const model = new RootsModel('red');
    model.change('green', 10)(20);
    expect(model.allowed(21, 30)).toEqual(new Set(['green']));
  });

  test('allows both to a call that overlaps a change', () => {
    const model = new RootsModel('red');
    model.change('green', 10)(20);
    expect(model.allowed(15, 30)).toEqual(new Set(['red', 'green']));
    expect(model.allowed(5, 12)).toEqual(new Set(['red', 'green']));
    expect(model.allowed(5, 9)).toEqual(new Set(['red']));
  });

  test('allows both after a change that was not accepted, until another one is', () => {
    const model = new RootsModel('red');
    model.change('green', 10);
    expect(model.allowed(100, 110)).toEqual(new Set(['red', 'green']));
    model.change('blue', 200)(210);
    expect(model.allowed(211, 220)).toEqual(new Set(['blue']));
  });
});

test('errors belong to a disturbance, and to two seconds after it', () => {
  const disturbances = new Disturbances();
  expect(disturbances.meet(0, 1_000_000)).toBe(false);
  const end = disturbances.begin(1_000);
  expect(disturbances.meet(0, 999)).toBe(false);
  expect(disturbances.meet(0, 1_001)).toBe(true);
  expect(disturbances.meet(50_000, 50_001)).toBe(true);
  end(2_000);
  expect(disturbances.meet(3_999, 5_000)).toBe(true);
  expect(disturbances.meet(4_001, 5_000)).toBe(false);
});

test('what was done is there once; what failed, once at most', () => {
  const effects = new Effects();
  effects.ask('a')();
  effects.ask('b');
  expect(effects.faults(['a'])).toEqual([]);
  expect(effects.faults(['a', 'b'])).toEqual([]);
  expect(effects.faults(['b', 'b', 'c'])).toEqual([
    'a was done and is lost',
    'b was done 2 times',
    'c was done without a request',
  ]);
});
