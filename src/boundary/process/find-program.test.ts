import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findProgram, isProgram, systemPath, systemShell } from './find-program.ts';

const isRoot = process.geteuid?.() === 0;

/** A program in a directory of root's that only root can write to, and so could a server of root. */
function rootTree(): { readonly rg: string } & Disposable {
  const path = mkdtempSync('/var/lib/rootward-test-');
  const rg = join(path, 'rg');
  writeFileSync(rg, '', { mode: 0o755 });
  return { rg, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

describe.skipIf(process.platform === 'win32')('a program', () => {
  test('is found in the first safe directory that has it', () => {
    using tree = tempTree(['one/', 'two/sh']);
    chmodSync(tree.at('two/sh'), 0o755);
    const path = [tree.at('one'), tree.at('two'), '/usr/bin', '/bin'].join(delimiter);
    const { file, passedOver } = findProgram('sh', path);
    expect(file).toMatch(/^\/(?:usr\/)?bin\/sh$/);
    expect(passedOver).toEqual([expect.stringContaining(`"${tree.at('two/sh')}" is not used: `)]);
  });

  test('is neither a directory nor a file that cannot be run', () => {
    using tree = tempTree(['one/rg/', 'two/rg']);
    chmodSync(tree.at('two', 'rg'), 0o644);
    const none = { file: undefined, passedOver: [] };
    expect(findProgram('rg', [tree.at('one'), tree.at('two')].join(delimiter))).toEqual(none);
    expect(findProgram('rg', undefined)).toEqual(none);
  });

  test('is not taken from a relative directory', () => {
    const way = relative(process.cwd(), '/usr/bin');
    for (const entry of [way, `./${way}`]) {
      const { file, passedOver } = findProgram('env', entry);
      expect([entry, file]).toEqual([entry, undefined]);
      expect(passedOver).toEqual(['"/usr/bin/env" is not used: its directory is not absolute in PATH']);
    }
  });

  test('that this user could write is not taken, because a tool could have written it', () => {
    using tree = tempTree(['.venv/bin/rg', 'link => .venv/bin']);
    chmodSync(tree.at('.venv/bin/rg'), 0o755);
    for (const name of ['.venv/bin', 'link']) expect(findProgram('rg', tree.at(name)).file).toBeUndefined();
  });

  test.runIf(isRoot)('for root is taken from the directories of the system alone (needs root)', () => {
    using tree = rootTree();
    expect(findProgram('rg', dirname(tree.rg)).passedOver).toEqual([
      `"${tree.rg}" is not used: it is in no directory of the system`,
    ]);
    const held = findProgram('env', '/usr/bin', ['/srv', '/usr']);
    expect(held.passedOver).toEqual(['"/usr/bin/env" is not used: it is inside the root "/usr"']);
    expect(findProgram('env', '/usr/bin', ['/srv']).file).toBe('/usr/bin/env');
  });

  test.runIf(isRoot)('of another user is not taken (needs root)', () => {
    using tree = rootTree();
    chownSync(dirname(tree.rg), 54_321, 54_321);
    expect(findProgram('rg', dirname(tree.rg)).passedOver).toEqual([
      `"${tree.rg}" is not used: "${dirname(tree.rg)}" belongs to another user (54321)`,
    ]);
  });
});

test.skipIf(process.platform === 'win32')('a search path keeps safe directories', () => {
  using tree = tempTree(['bin/']);
  expect(systemPath(['', '.', 'bin', tree.at('bin'), '/tmp', '/usr/bin'].join(delimiter))).toBe('/usr/bin');
  expect(systemPath(undefined)).toBe('');
});

test('isProgram accepts a file that can be run', () => {
  expect([isProgram(process.execPath), isProgram(dirname(process.execPath))]).toEqual([true, false]);
});

test.runIf(process.platform !== 'win32')('a command line is passed unchanged', () => {
  const { file, args } = systemShell(`printf '%s|' "a b" 'c"d' $((1 + 1))`);
  expect(spawnSync(file, args, { encoding: 'utf8' }).stdout).toBe('a b|c"d|2|');
});

test('on Windows it is left to the shell of the system, quotes and all', () => {
  const { file, args } = systemShell('dir "a b"', 'win32');
  expect(file).toMatch(/\\System32\\cmd\.exe$/);
  expect(args).toEqual(['/d', '/s', '/c', '"dir "a b""']);
});
