import { closeSync, fstatSync, linkSync, lstatSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { drivers, openContext, type OpenContext } from '../../../test/support/trees/boundary-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import type { PinnedEntry } from '../system/driver.ts';
import type { BoundaryContext, BoundaryRequest } from './context.ts';
import { keptIdentity, openFile, pinLast, requireRegular } from './open-file.ts';
import { LinkFound } from './resolve.ts';

function ask(path: string): BoundaryRequest {
  return { operation: 'read', verb: 'read', path };
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('opens a file, also through links, and returns one descriptor', () => {
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

const request: BoundaryRequest = { operation: 'read', verb: 'read', path: 'as/asked' };

function pinAt(context: OpenContext, name: string, directory = false): PinnedEntry | LinkFound {
  return pinLast(context, request, { parent: context.top, name, relative: name, directory });
}

function pinned(context: OpenContext, name: string): PinnedEntry {
  const found = pinAt(context, name);
  if (found instanceof LinkFound) throw new Error(`${name} is a link`);
  return found;
}

describe('pinLast', () => {
  test.each(['file', 'd', 'pipe'])('holds %s', (name) => {
    using tree = tempTree(['file', 'd/', 'pipe|']);
    using context = openContext(tree.path);
    const held = pinned(context, name);
    expect(held.stats.ino).toBe(lstatSync(tree.at(name)).ino);
    context.driver.close(held);
  });

  test.each([
    ['link', 'file'],
    ['dangling', '../nowhere'],
  ])('returns the text of %s', (name, text) => {
    using tree = tempTree(['file', 'link => file', 'dangling => ../nowhere']);
    using context = openContext(tree.path);
    expect(pinAt(context, name)).toEqual(new LinkFound(text));
    expect(pinAt(context, name, true)).toEqual(new LinkFound(text));
  });

  test('accepts nothing but a directory for a path that is spelled as one', () => {
    using tree = tempTree(['file', 'd/']);
    using context = openContext(tree.path);
    const directory = pinAt(context, 'd', true);
    expect(directory).not.toBeInstanceOf(LinkFound);
    if (!(directory instanceof LinkFound)) context.driver.close(directory);
    expect(() => pinAt(context, 'file', true)).toThrow('Cannot read "as/asked": it is not a directory');
  });

  test('keeps nothing open but its result', () => {
    using tree = tempTree(['file', 'link => file']);
    using context = openContext(tree.path);
    const before = openHandles(tree.path);
    pinAt(context, 'link');
    expect(() => pinAt(context, 'file', true)).toThrow();
    expect(() => pinAt(context, 'missing')).toThrow();
    expect(openHandles(tree.path)).toEqual(before);
  });
});

describe('requireRegular', () => {
  function requireAt(context: OpenContext, name: string, changes: Partial<BoundaryContext> = {}): void {
    const held = pinned(context, name);
    context.driver.close(held);
    requireRegular({ ...context, ...changes }, request, held);
  }

  test.each([
    ['d', { code: 'IS_A_DIRECTORY' }],
    ['pipe', { code: 'SPECIAL_FILE', message: 'Cannot read "as/asked": it is a FIFO' }],
  ])('refuses %s', (name, refusal) => {
    using tree = tempTree(['d/', 'pipe|']);
    using context = openContext(tree.path);
    expect(() => requireAt(context, name)).toThrow(expect.objectContaining(refusal));
  });

  test('refuses a file with a second name only where hard links are refused', () => {
    using tree = tempTree(['file', 'single']);
    linkSync(tree.at('file'), tree.at('second'));
    using context = openContext(tree.path);
    requireAt(context, 'file');
    requireAt(context, 'single', { hardLinks: 'refuse' });
    expect(() => requireAt(context, 'file', { hardLinks: 'refuse' })).toThrow(
      expect.objectContaining({ code: 'HARD_LINK' }),
    );
  });
});

test("one of Rootward's own files is not opened under any name, and other files are", async () => {
  using tree = tempTree(['app/a.txt = mine', 'app/b.txt = yours', 'app/link => a.txt']);
  linkSync(tree.at('app/a.txt'), tree.at('app/second.txt'));
  const files = new Set([keptIdentity(statSync(tree.at('app/a.txt')))]);
  const kept = { paths: [tree.at('app/a.txt')], files, linked: true };
  await using boundary = await openBoundary(tree.at('app'), { kept });
  for (const name of ['a.txt', 'second.txt', 'link']) {
    await expect(boundary.readText(name)).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.write(name, '')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.append(name, '')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.copy(name, 'new')).rejects.toMatchObject({ code: 'DENIED' });
  }
  expect(await boundary.readText('b.txt')).toBe('yours');
  // Negative control: without it the second name tells what the first one holds.
  await using open = await openBoundary(tree.at('app'));
  expect(await open.readText('second.txt')).toBe('mine');
});
