import { expect, test } from 'vitest';
import { sourceNames } from '../sources/all-sources.ts';
import { chainPresets } from './chain-presets.ts';

test('adr-009: roots, then remembered, then PWD, never the directory of the process', () => {
  expect(chainPresets['adr-009'].sources).toEqual(['roots', 'remembered', 'pwd']);
});

test('rfc-0020: explicit cwd, then roots, then walk tree', () => {
  expect(chainPresets['rfc-0020'].sources).toEqual(['argument', 'roots', 'initialize', 'walk-up']);
});

test('the default chain asks every source', () => {
  expect(chainPresets.default.sources).toEqual(sourceNames);
});
