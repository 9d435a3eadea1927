import { chmodSync, closeSync, linkSync, lstatSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { append, openForAppend } from './append.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('adds to the end, and creates what is missing', async () => {
    using tree = tempTree(['f = 1', 'link => f', 'dangling => new']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    await append(context, 'f', '2');
    await append(context, 'link', Buffer.from('3'));
    await append(context, 'f', '4', { flush: true });
    await append(context, 'dangling', 'x');
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('1234');
    expect(readFileSync(tree.at('new'), 'utf8')).toBe('x');
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('makes missing directories on request', async () => {
    using tree = tempTree();
    using context = openContext(tree.path, { driver });
    await expect(append(context, 'a/f', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await append(context, 'a/f', 'x', { parents: true });
    expect(readFileSync(tree.at('a', 'f'), 'utf8')).toBe('x');
  });

  test.each([
    ['.', 'IS_ROOT'],
    ['d', 'IS_A_DIRECTORY'],
    ['f/', 'NOT_A_DIRECTORY'],
    ['new/', 'NOT_A_DIRECTORY'],
    ['pipe', 'SPECIAL_FILE'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s, and nothing changes', async (path, code) => {
    using tree = tempTree(['ROOT/d/', 'ROOT/f', 'ROOT/pipe|', 'ROOT/out => ../new']);
    using context = openContext(tree.at('ROOT'), { driver });
    const before = openHandles(tree.path);
    const content = listTree(tree.path);
    await expect(append(context, path, 'x')).rejects.toMatchObject({
      code,
      message: expect.not.stringMatching(/tmp/),
    });
    expect(listTree(tree.path)).toEqual(content);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('many appends at once are all there', async () => {
    using tree = tempTree();
    using context = openContext(tree.path, { driver });
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((line) => append(context, 'log', line)));
    const found = readFileSync(tree.at('log'), 'utf8').split(/(?<=\n)/);
    expect(found.toSorted()).toEqual(lines.toSorted());
  });
});

test('gives the mode only to a new file, and permission bits only', async () => {
  using tree = tempTree(['old']);
  chmodSync(tree.at('old'), 0o644);
  using context = openContext(tree.path);
  await append(context, 'old', 'x', { mode: 0o600 });
  await append(context, 'new', 'x', { mode: 0o600 });
  expect(lstatSync(tree.at('old')).mode & 0o7777).toBe(0o644);
  expect(lstatSync(tree.at('new')).mode & 0o7777).toBe(0o600);
  await expect(append(context, 'odd', 'x', { mode: 0o4755 })).rejects.toMatchObject({ code: 'INVALID_MODE' });
  expect(readdirSync(tree.path)).toEqual(['new', 'old']);
});

test('adds to a file with a second name only where hard links are allowed', async () => {
  using tree = tempTree(['f = 1']);
  linkSync(tree.at('f'), tree.at('second'));
  using context = openContext(tree.path, { hardLinks: 'refuse' });
  await expect(append(context, 'f', '2')).rejects.toMatchObject({ code: 'HARD_LINK' });
  expect(readFileSync(tree.at('second'), 'utf8')).toBe('1');
});

test('a descriptor for appending writes to the end, wherever that is by now', async () => {
  using tree = tempTree(['f = 1']);
  using context = openContext(tree.path);
  const fd = openForAppend(context, 'f');
  await append(context, 'f', '2');
  writeSync(fd, '3');
  closeSync(fd);
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('123');
});
