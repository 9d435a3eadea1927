import { closeSync, constants, lstatSync, readdirSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeDriver } from '../../../test/support/boundary/driver-contract.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { hasProc, procDriver as driver } from './proc-driver.ts';

describe.runIf(process.platform === 'linux')('the driver over /proc', () => {
  describeDriver(driver);

  test('offers the kernel level, and finds /proc', () => {
    expect(driver.level).toBe('kernel');
    expect(hasProc()).toBe(true);
  });

  test('stays in a directory that is moved, whatever takes its name', () => {
    using tree = tempTree(['a/b.txt']);
    const top = driver.openTop(tree.path);
    const directory = driver.enter(top, 'a');
    renameSync(tree.at('a'), tree.at('moved'));
    tree.add('a/other.txt');
    expect(readdirSync(driver.self(directory))).toEqual(['b.txt']);
    writeFileSync(driver.at(directory, 'new.txt'), '');
    expect(readdirSync(tree.at('moved'))).toEqual(['b.txt', 'new.txt']);
    expect(readdirSync(tree.at('a'))).toEqual(['other.txt']);
    driver.close(directory);
    driver.close(top);
  });

  test('opens the inode that was pinned, whatever takes its name', () => {
    using tree = tempTree(['a = pinned', 'secret = secret']);
    const top = driver.openTop(tree.path);
    const pinned = driver.pin(top, 'a');
    renameSync(tree.at('a'), tree.at('moved'));
    tree.add('a => secret');
    const fd = driver.reopen(pinned, constants.O_RDONLY);
    const buffer = Buffer.alloc(6);
    readSync(fd, buffer);
    expect(String(buffer)).toBe('pinned');
    closeSync(fd);
    driver.close(pinned);
    driver.close(top);
  });

  test('changes the mode of the inode that was pinned, whatever takes its name', () => {
    using tree = tempTree(['a', 'secret']);
    const top = driver.openTop(tree.path);
    const pinned = driver.pin(top, 'a');
    renameSync(tree.at('a'), tree.at('moved'));
    tree.add('a => secret');
    driver.changeMode(pinned, 0o600);
    expect(lstatSync(tree.at('moved')).mode & 0o777).toBe(0o600);
    expect(lstatSync(tree.at('secret')).mode & 0o777).not.toBe(0o600);
    driver.close(pinned);
    driver.close(top);
  });

  test('enters and pins names that are not UTF-8', () => {
    using tree = tempTree();
    const top = driver.openTop(tree.path);
    const name = Buffer.from([0x64, 0xff]);
    writeFileSync(driver.at(top, name), 'x');
    const pinned = driver.pin(top, name);
    expect(pinned.stats.size).toBe(1);
    driver.close(pinned);
    driver.close(top);
  });
});
