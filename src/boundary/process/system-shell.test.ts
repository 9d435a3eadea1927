import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { systemShell } from './system-shell.ts';

test.runIf(process.platform !== 'win32')('a command line is read as it was written', () => {
  const { file, args } = systemShell(`printf '%s|' "a b" 'c"d' $((1 + 1))`);
  expect(spawnSync(file, args, { encoding: 'utf8' }).stdout).toBe('a b|c"d|2|');
});

test('on Windows it is left to the shell of the system, quotes and all', () => {
  const { file, args } = systemShell('dir "a b"', 'win32');
  expect(file).toMatch(/\\System32\\cmd\.exe$/);
  expect(args).toEqual(['/d', '/s', '/c', '"dir "a b""']);
});
