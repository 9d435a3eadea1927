import { closeSync, fstatSync, linkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/boundary-context.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { Request } from './context.ts';
import { openFile } from './open-file.ts';

function ask(path: string): Request {
  return { operation: 'read', verb: 'read', path };
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('opens a file, also through links, and hands out one descriptor', () => {
    using tree = tempTree(['a/file = 12345', 'link => a/file']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path).length;
    const { fd, stats } = openFile(context, ask('link'));
    expect(fstatSync(fd)).toMatchObject({ ino: stats.ino, size: 5 });
    if (process.platform === 'linux') expect(openHandles(tree.path)).toHaveLength(before + 1);
    closeSync(fd);
    expect(openHandles(tree.path)).toHaveLength(before);
  });

  test.each([
    ['d', 'IS_A_DIRECTORY'],
    ['.', 'IS_A_DIRECTORY'],
    ['pipe', 'SPECIAL_FILE'],
    ['to-pipe', 'SPECIAL_FILE'],
    ['file/', 'NOT_A_DIRECTORY'],
    ['missing', 'NOT_FOUND'],
    ['two', 'HARD_LINK'],
  ])('refuses %s with %s and keeps nothing open', (path, code) => {
    using tree = tempTree(['d/', 'pipe|', 'to-pipe => pipe', 'file', 'one']);
    linkSync(tree.at('one'), tree.at('two'));
    using context = openContext(tree.path, { driver, hardLinks: 'refuse' });
    const before = openHandles(tree.path);
    expect(() => openFile(context, ask(path))).toThrow(expect.objectContaining({ code }));
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('never opens a device', () => {
  using context = openContext('/dev');
  expect(() => openFile(context, ask('zero'))).toThrow('Cannot read "zero": it is a device');
});
