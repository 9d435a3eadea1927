import { mkdirSync, readdirSync, renameSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aliasDriver } from '../../../test/support/boundary/alias-driver.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createDiskNames, type DiskNames, isExactDisk, listedName, listedPath } from './disk-names.ts';
import type { Directory, Driver } from './driver.ts';
import { parseMountLines } from './mount-table.ts';
import { procDriver } from './proc-driver.ts';

const fat = aliasDriver({ shortNames: 'numbered' });

interface Opened extends Disposable {
  readonly top: Directory;
  readonly path: string;
  readonly names: DiskNames;
}

function open(driver: Driver, entries: readonly string[], mounts = ''): Opened {
  const tree = tempTree(entries);
  const top = driver.openTop(tree.path);
  const lines = parseMountLines(mounts.replaceAll('$TREE', tree.path));
  return {
    top,
    path: tree.path,
    names: createDiskNames(driver, { top, real: tree.path }, () => lines),
    [Symbol.dispose]: () => {
      driver.close(top);
      tree[Symbol.dispose]();
    },
  };
}

describe.runIf(process.platform === 'linux')('the name that a directory lists', () => {
  test.each([
    ['credentials.json', 'credentials.json'],
    ['CREDEN~1.JSO', 'credentials.json'],
    ['Credentials.JSON', 'credentials.json'],
    ['.git.', '.git'],
    ['GIT~1', '.git'],
    ['id_rsa::$DATA', 'id_rsa'],
    ['caf\u00E9', 'cafe\u0301'],
    // Nothing is there: it is judged as it is asked, and can be made.
    ['new.txt', 'new.txt'],
    ['NEW~1.TXT', 'NEW~1.TXT'],
    // As FAT makes it with `uni_xlate`.
    [':002eenv', '.env'],
    ['.e:006Ev', '.env'],
    [':002e:002e', ':002e:002e'],
    ['a:002fb', 'a:002fb'],
    ['10:30', '10:30'],
  ])('%s is %s', (asked, listed) => {
    using opened = open(fat, ['credentials.json', '.git/', 'id_rsa', 'cafe\u0301']);
    expect(opened.names.nameIn(opened.top, asked)).toBe(listed);
    expect(listedName(fat, opened.top, asked)).toBe(listed);
  });

  test('is undefined if several files or none could be meant', () => {
    const unlisted: Driver = {
      ...procDriver,
      isExact: () => false,
      at: (parent, name) => procDriver.at(parent, name === 'ALIAS~1' ? 'one' : name),
    };
    using opened = open(unlisted, ['two']);
    renameSync(`${opened.path}/two`, `${opened.path}/one`);
    // Found by what it is.
    expect(opened.names.nameIn(opened.top, 'ALIAS~1')).toBe('one');
    const hidden: Driver = { ...unlisted, at: (parent) => procDriver.at(parent, '.') };
    using other = open(hidden, ['a', 'b']);
    expect(other.names.nameIn(other.top, 'ALIAS~1')).toBeUndefined();
  });

  test('is looked up again when the directory has changed, and a moment later', () => {
    using opened = open(fat, ['old']);
    const long = new Date(Date.now() - 3_600_000);
    utimesSync(opened.path, long, long);
    expect(opened.names.nameIn(opened.top, 'old')).toBe('old');
    mkdirSync(`${opened.path}/later`);
    expect(opened.names.nameIn(opened.top, 'LATER')).toBe('later');
    renameSync(`${opened.path}/later`, `${opened.path}/Later`);
    expect(opened.names.nameIn(opened.top, 'later')).toBe('Later');
  });
});

describe.runIf(process.platform === 'linux')('an ordinary disk', () => {
  test('needs no check on the way', () => {
    const asked: string[] = [];
    const counting: Driver = {
      ...procDriver,
      isExact: (directory) => asked.push('disk') > 0 && procDriver.isExact(directory),
      at(parent, name) {
        asked.push(String(name));
        return procDriver.at(parent, name);
      },
    };
    using opened = open(counting, ['a'], '1 0 0:1 / / rw - ext4 x rw\n2 1 0:2 / /boot/efi rw - vfat x rw');
    for (const name of ['a', 'A~1', 'b.']) expect(opened.names.nameIn(opened.top, name)).toBe(name);
    expect(asked).toEqual(['disk']);
  });

  test('is checked if another one is mounted in it', () => {
    const asked: string[] = [];
    const counting: Driver = {
      ...procDriver,
      isExact: (directory) => asked.push('disk') > 0 && procDriver.isExact(directory),
    };
    using opened = open(counting, ['usb/'], '3 1 0:3 / $TREE/usb rw - vfat x rw');
    expect(opened.names.nameIn(opened.top, 'usb')).toBe('usb');
    expect(asked).toEqual(['disk', 'disk']);
  });
});

test.each([
  ['ext4', 0xef53, true],
  ['tmpfs', 0x01021994, true],
  ['FAT', 0x4d44, false],
  ['exFAT', 0x2011bab0, false],
  ['NTFS', 0x7366746e, false],
  ['FUSE', 0x65735546, false],
  ['SMB', 0xfe534d42, false],
  ['a Windows drive in WSL', 0x01021997, false],
  ['NFS', 0x6969, true],
])('%s opens files only under the names that it lists: %s', (_name, number, isExact) => {
  expect(isExactDisk(number)).toBe(isExact);
});

test('where disks cannot be told apart, only names like short ones are looked up', () => {
  const unknown: Driver = { ...fat, isExact: () => undefined };
  using opened = open(unknown, ['.git/']);
  expect(opened.names.nameIn(opened.top, 'GIT~1')).toBe('.git');
  expect(opened.names.nameIn(opened.top, '.GIT')).toBe('.GIT');
});

test('a path on ordinary disks stays as it is, whether or not it is there', () => {
  using tree = tempTree(['a/b']);
  for (const path of [tree.at('a/b'), tree.at('A/B'), tree.at('none/deep'), '/'])
    expect(listedPath(path)).toBe(path);
  expect(readdirSync(tree.path)).toEqual(['a']);
});
