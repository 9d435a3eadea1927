import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  utimesSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { identityOf, kindOf, toFileInfo } from './file-info.ts';

const kinds = { f: 'file', d: 'directory', l: 'link', p: 'FIFO' };

test('recognises the kinds of entries, from stats and from a listing', () => {
  using tree = tempTree(['f', 'd/', 'l => f', 'p|']);
  for (const [name, kind] of Object.entries(kinds)) expect(kindOf(lstatSync(tree.at(name)))).toBe(kind);
  const listed = readdirSync(tree.path, { withFileTypes: true });
  expect(Object.fromEntries(listed.map((entry) => [entry.name, kindOf(entry)]))).toEqual(kinds);
});

test('recognises a socket', async () => {
  using tree = tempTree();
  const server = createServer().listen(tree.at('s'));
  await new Promise((resolve) => server.once('listening', resolve));
  expect(kindOf(lstatSync(tree.at('s')))).toBe('socket');
  await new Promise((resolve) => server.close(resolve));
});

test('recognises a device', () => {
  expect(kindOf(lstatSync('/dev/null'))).toBe('device');
});

test('returns the facts, with permission bits and no more of the mode', () => {
  using tree = tempTree(['f = 12345']);
  linkSync(tree.at('f'), tree.at('second'));
  chmodSync(tree.at('f'), 0o4640);
  utimesSync(tree.at('f'), new Date('2020-01-01'), new Date('2021-01-01'));
  expect(toFileInfo(lstatSync(tree.at('f')))).toEqual({
    kind: 'file',
    size: 5,
    mode: 0o4640,
    links: 2,
    created: expect.any(Date),
    modified: new Date('2021-01-01'),
    accessed: new Date('2020-01-01'),
  });
});

test('distinguishes two files, and recognises one under another name', () => {
  using tree = tempTree(['a', 'b']);
  const [one, other] = [openSync(tree.at('a'), 'r'), openSync(tree.at('b'), 'r')];
  renameSync(tree.at('a'), tree.at('c'));
  const again = openSync(tree.at('c'), 'a');
  try {
    expect(identityOf(again)).toBe(identityOf(one));
    expect(identityOf(other)).not.toBe(identityOf(one));
  } finally {
    for (const fd of [one, other, again]) closeSync(fd);
  }
});
