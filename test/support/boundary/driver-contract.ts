import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Driver } from '../../../src/boundary/system/driver.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { openHandles } from '../processes/open-handles.ts';

/** What every driver promises, whatever it stands on. */
export function describeDriver(driver: Driver): void {
  describe('every driver', () => {
    test('opens the top through links, and follows none below it', () => {
      using tree = tempTree(['real/a.txt', 'link => real']);
      const top = driver.openTop(tree.at('link'));
      expect(readdirSync(driver.self(top))).toEqual(['a.txt']);
      driver.close(top);
    });

    test('enters a directory', () => {
      using opened = open(driver, ['a/b.txt']);
      const directory = driver.enter(opened.top, 'a');
      expect(readFileSync(driver.at(directory, 'b.txt'), 'utf8')).toBe('a/b.txt');
      expect(readdirSync(driver.self(directory))).toEqual(['b.txt']);
      driver.close(directory);
    });

    test.each([
      ['a link to a directory', 'link', /^(ENOTDIR|ELOOP)$/],
      ['a dangling link', 'dangling', /^(ENOTDIR|ELOOP)$/],
      ['a file', 'file', /^ENOTDIR$/],
      ['a FIFO', 'pipe', /^ENOTDIR$/],
      ['nothing', 'missing', /^ENOENT$/],
    ])('does not enter %s', (_what, name, code) => {
      using opened = open(driver, ['a/', 'link => a', 'dangling => nowhere', 'file', 'pipe|']);
      expect(() => driver.enter(opened.top, name)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(code) }),
      );
    });

    test('holds a link as a link, also one that leads nowhere', () => {
      using opened = open(driver, ['a', 'link => a', 'dangling => nowhere']);
      for (const name of ['link', 'dangling']) {
        const pinned = driver.pin(opened.top, name);
        expect(pinned.stats.isSymbolicLink()).toBe(true);
        driver.close(pinned);
      }
    });

    test('holds a FIFO without waiting for its other end', () => {
      using opened = open(driver, ['pipe|']);
      const pinned = driver.pin(opened.top, 'pipe');
      expect(pinned.stats.isFIFO()).toBe(true);
      driver.close(pinned);
    });

    test('opens what was pinned', () => {
      using opened = open(driver, ['a = content']);
      const pinned = driver.pin(opened.top, 'a');
      const fd = driver.reopen(pinned, constants.O_RDONLY);
      expect(readAll(fd)).toBe('content');
      expect(fstatSync(fd).ino).toBe(pinned.stats.ino);
      closeSync(fd);
      driver.close(pinned);
    });

    test.each(['..a', 'a b', '%2e%2e', '\n', '~', 'a\\b', '…', '-rf'])('takes %j as one name', (name) => {
      using opened = open(driver, []);
      writeFileSync(driver.at(opened.top, name), 'x');
      expect(readdirSync(opened.path)).toEqual([name]);
    });

    test('takes names that are not UTF-8 as bytes', () => {
      using opened = open(driver, ['d/']);
      const directory = driver.enter(opened.top, 'd');
      const name = Buffer.from([0x61, 0xff, 0xfe]);
      writeFileSync(driver.at(directory, name), 'x');
      expect(readdirSync(`${opened.path}/d`, 'buffer')).toEqual([name]);
      driver.close(directory);
    });

    test('changes the mode of files and directories', () => {
      using opened = open(driver, ['file', 'd/']);
      for (const name of ['file', 'd']) {
        const pinned = driver.pin(opened.top, name);
        driver.changeMode(pinned, 0o750);
        driver.close(pinned);
        expect(lstatSync(`${opened.path}/${name}`).mode & 0o7777).toBe(0o750);
      }
    });

    test('gives a second handle that outlives the first', () => {
      using opened = open(driver, ['a/b.txt']);
      const first = driver.enter(opened.top, 'a');
      const second = driver.duplicate(first);
      driver.close(first);
      expect(readdirSync(driver.self(second))).toEqual(['b.txt']);
      driver.close(second);
    });

    test('tells one mount from another', () => {
      using opened = open(driver, ['a/']);
      const inner = driver.enter(opened.top, 'a');
      const other = driver.openTop('/dev');
      expect(driver.mountOf(inner)).toBe(driver.mountOf(opened.top));
      expect(driver.mountOf(other)).not.toBe(driver.mountOf(opened.top));
      driver.close(inner);
      driver.close(other);
    });

    test('keeps nothing open that was closed or could not be opened', () => {
      using opened = open(driver, ['a/', 'file', 'link => a']);
      const before = openHandles(opened.path);
      driver.close(driver.enter(opened.top, 'a'));
      driver.close(driver.pin(opened.top, 'link'));
      for (const name of ['file', 'link', 'missing']) expect(() => driver.enter(opened.top, name)).toThrow();
      expect(openHandles(opened.path)).toEqual(before);
    });

    test('sees what came after it was opened', () => {
      using opened = open(driver, []);
      mkdirSync(`${opened.path}/later`);
      driver.close(driver.enter(opened.top, 'later'));
      expect(readdirSync(driver.self(opened.top))).toEqual(['later']);
    });
  });
}

function open(driver: Driver, entries: readonly string[]) {
  const tree = tempTree(entries);
  const top = driver.openTop(tree.path);
  return {
    top,
    path: tree.path,
    [Symbol.dispose]: () => {
      driver.close(top);
      tree[Symbol.dispose]();
    },
  };
}

function readAll(fd: number): string {
  const buffer = Buffer.alloc(1_024);
  return buffer.toString('utf8', 0, readSync(fd, buffer));
}
