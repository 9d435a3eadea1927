import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { findProgram } from './find-program.ts';

test('finds a program in the first directory that has it', () => {
  using tree = tempTree(['one/', 'two/rg', 'three/rg']);
  for (const name of ['two', 'three']) chmodSync(tree.at(name, 'rg'), 0o755);
  const path = ['one', 'two', 'three'].map((name) => tree.at(name)).join(delimiter);
  expect(findProgram('rg', path)).toBe(tree.at('two', 'rg'));
});

test('takes neither a directory nor a file that cannot be run', () => {
  using tree = tempTree(['one/rg/', 'two/rg']);
  chmodSync(tree.at('two', 'rg'), 0o644);
  expect(findProgram('rg', [tree.at('one'), tree.at('two')].join(delimiter))).toBeUndefined();
});

test('does not look where a project could put a program', () => {
  using tree = tempTree(['app/node_modules/.bin/rg']);
  chmodSync(tree.at('app/node_modules/.bin/rg'), 0o755);
  const places = [tree.at('app/node_modules/.bin'), '', '.', 'bin'];
  expect(findProgram('rg', places.join(delimiter))).toBeUndefined();
});

test('finds nothing without a search path', () => {
  expect(findProgram('rg', undefined)).toBeUndefined();
});
