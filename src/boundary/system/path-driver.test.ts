import { constants, lstatSync, readdirSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeDriver } from '../../../test/support/boundary/driver-contract.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createPathDriver, createSystemPathDriver } from './path-driver.ts';

const driver = createSystemPathDriver(process.platform);
const stale = expect.objectContaining({ code: 'ESTALE' });

describeDriver(driver);

test.each([
  ['darwin', 'open-only'],
  ['win32', 'verified'],
  ['linux', 'verified'],
] as const)('offers on %s: %s', (system, level) => {
  expect(createSystemPathDriver(system).level).toBe(level);
});

describe('a file that was replaced after it was pinned', () => {
  test('is not opened', () => {
    using tree = tempTree(['a', 'b']);
    const top = driver.openTop(tree.path);
    const pinned = driver.pin(top, 'a');
    renameSync(tree.at('b'), tree.at('a'));
    expect(() => driver.reopen(pinned, constants.O_RDONLY)).toThrow(stale);
    driver.close(top);
  });

  test('is not given another mode', () => {
    using tree = tempTree(['a', 'b']);
    const top = driver.openTop(tree.path);
    const pinned = driver.pin(top, 'a');
    renameSync(tree.at('b'), tree.at('a'));
    expect(() => driver.changeMode(pinned, 0o600)).toThrow(stale);
    expect(lstatSync(tree.at('a')).mode & 0o777).not.toBe(0o600);
    driver.close(top);
  });

  test('is not opened through a link, even where the system would follow it', () => {
    using tree = tempTree(['ROOT/a', 'secret']);
    const lenient = createPathDriver({ level: 'verified', noFollow: 0 });
    const top = lenient.openTop(tree.at('ROOT'));
    const pinned = lenient.pin(top, 'a');
    renameSync(tree.at('ROOT', 'a'), tree.at('ROOT', 'moved'));
    tree.add('ROOT/a => ../secret');
    expect(() => lenient.reopen(pinned, constants.O_RDONLY)).toThrow(stale);
    lenient.close(top);
  });
});

describe('a directory that was replaced after it was entered', () => {
  function exchanged() {
    const tree = tempTree(['a/b.txt', 'a/d/', 'other/b.txt', 'other/d/']);
    const top = driver.openTop(tree.path);
    const directory = driver.enter(top, 'a');
    renameSync(tree.at('a'), tree.at('moved'));
    renameSync(tree.at('other'), tree.at('a'));
    return {
      tree,
      directory,
      [Symbol.dispose]: () => {
        driver.close(directory);
        driver.close(top);
        tree[Symbol.dispose]();
      },
    };
  }

  test.each([
    ['a path to create, rename or remove at', 'at'],
    ['what is in it', 'pin'],
    ['a directory in it', 'enter'],
  ] as const)('returns no %s', (_what, method) => {
    using opened = exchanged();
    expect(() => driver[method](opened.directory, 'd')).toThrow(stale);
    expect(() => driver[method](opened.directory, Buffer.from('d'))).toThrow(stale);
  });

  test('is not entered through a link in its place', () => {
    using opened = exchanged();
    renameSync(opened.tree.at('a'), opened.tree.at('aside'));
    opened.tree.add('a => moved');
    expect(() => driver.at(opened.directory, 'b.txt')).toThrow(stale);
    expect(readdirSync(opened.tree.at('a'))).toEqual(['b.txt', 'd']);
  });
});

test('a handle of another driver is a programming error', () => {
  expect(() => driver.self({ fd: 3 })).toThrow('belongs to another driver');
});
