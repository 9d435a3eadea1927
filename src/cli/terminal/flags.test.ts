import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { permissionPresets } from '../../policy/rules/permission-presets.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { parseCount, parseOperation, parseOperations, parseSeconds, presetNames } from './flags.ts';

test.each(['', '.', '..', 'a/b', '../x', '*.blue'])(
  'refuses the marker %j, which is not a name',
  async (name) => {
    for (const command of ['where', 'find']) {
      expect(await runInMemory('/', [command, '--marker', name])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`Cannot use "${name}" as a marker: it is`),
      });
    }
  },
);

test('accepts a name', async () => {
  using tree = tempTree(['app/.blue/', 'app/src/']);
  const { code, stdout } = await runInMemory(tree.at('app/src'), ['where', '--marker', '.blue']);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('found .blue going up'),
  });
});

test('reads an operation by its name', () => {
  expect(parseOperation('remove')).toBe('remove');
});

test.each(['', 'Read', 'fly', 'read,write'])('refuses %j, and lists the operations', (text) => {
  expect(() => parseOperation(text)).toThrow(
    'is not an operation; use one of read, list, write, remove, execute',
  );
});

test('reads operations from one word', () => {
  expect(parseOperations('read,write')).toEqual(['read', 'write']);
  expect(() => parseOperations('read,')).toThrow('is not an operation');
});

test('counts are non-negative integers', () => {
  expect(parseCount('3')).toBe(3);
  for (const text of ['', '-1', '1.5', 'x']) expect(() => parseCount(text)).toThrow('non-negative integer');
});

test('seconds are limited by the longest timer', () => {
  expect(parseSeconds('2147483')).toBe(2_147_483);
  expect(() => parseSeconds('3000000')).toThrow('at most 2147483 seconds');
});

test('every preset can be named', () => {
  expect(new Set(presetNames)).toEqual(new Set(Object.keys(permissionPresets)));
});
