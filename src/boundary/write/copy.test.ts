import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('copies content and mode to a file of its own', async () => {
    using tree = tempTree(['f = content', 'link => f']);
    chmodSync(tree.at('f'), 0o750);
    await using boundary = openWith(driver, tree.path, {});
    const before = openHandles(tree.path);
    await boundary.copy('link', 'copy');
    expect(readFileSync(tree.at('copy'), 'utf8')).toBe('content');
    expect(lstatSync(tree.at('copy'))).toMatchObject({ mode: lstatSync(tree.at('f')).mode, nlink: 1 });
    expect(lstatSync(tree.at('copy')).isFile()).toBe(true);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test.each([0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000])('copies %d bytes', async (size) => {
    using tree = tempTree();
    writeFileSync(tree.at('f'), Buffer.alloc(size, 'abcdefg'));
    await using boundary = openWith(driver, tree.path, {});
    await boundary.copy('f', 'copy', { flush: size === 1 });
    expect(readFileSync(tree.at('copy')).equals(readFileSync(tree.at('f')))).toBe(true);
  });

  test.each([
    ['d', 'new', 'IS_A_DIRECTORY', 'd'],
    ['pipe', 'new', 'SPECIAL_FILE', 'pipe'],
    ['missing', 'new', 'NOT_FOUND', 'missing'],
    ['f', 'missing/new', 'NOT_FOUND', 'missing/new'],
    ['f', 'g', 'ALREADY_EXISTS', 'g'],
    ['f', 'f', 'ALREADY_EXISTS', 'f'],
    ['f', 'd', 'IS_A_DIRECTORY', 'd'],
    ['f', '.', 'IS_ROOT', '.'],
    ['f', 'new/', 'NOT_A_DIRECTORY', 'new/'],
    ['out', 'new', 'OUTSIDE_ROOTS', 'out'],
    ['f', 'out/new', 'OUTSIDE_ROOTS', 'out/new'],
  ])('refuses %s → %s with %s for %s', async (from, to, code, path) => {
    using tree = tempTree(['f', 'g', 'd/', 'pipe|', 'out => ..']);
    await using boundary = openWith(driver, tree.path, {});
    const before = openHandles(tree.path);
    const content = listTree(tree.path);
    await expect(boundary.copy(from, to)).rejects.toMatchObject({ code, data: { path } });
    expect(listTree(tree.path)).toEqual(content);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('replaces a file where that is asked for, itself too, and keeps its mode', async () => {
  using tree = tempTree(['f = new', 'g = old', 'link => g']);
  chmodSync(tree.at('g'), 0o600);
  await using boundary = await openBoundary(tree.path);
  await boundary.copy('f', 'link', { replace: true });
  await boundary.copy('f', 'f', { replace: true });
  expect(readFileSync(tree.at('g'), 'utf8')).toBe('new');
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('new');
  expect(lstatSync(tree.at('g')).mode & 0o777).toBe(0o600);
  expect(readlinkSync(tree.at('link'))).toBe('g');
});

test('does not copy set-user-id and set-group-id bits', async () => {
  using tree = tempTree(['f']);
  chmodSync(tree.at('f'), 0o4755);
  await using boundary = await openBoundary(tree.path);
  await boundary.copy('f', 'copy');
  expect(lstatSync(tree.at('copy')).mode & 0o7777).toBe(0o755);
});

test('makes missing directories on request', async () => {
  using tree = tempTree(['f']);
  await using boundary = await openBoundary(tree.path);
  await boundary.copy('f', 'a/b/copy', { parents: true });
  expect(readFileSync(tree.at('a', 'b', 'copy'), 'utf8')).toBe('f');
});

test('copies from one root to another', async () => {
  using tree = tempTree(['one/f', 'two/']);
  await using one = await openBoundary(tree.at('one'));
  await using two = await openBoundary(tree.at('two'));
  await one.copy('f', 'g', { into: two });
  expect(readFileSync(tree.at('two', 'g'), 'utf8')).toBe('one/f');
});

test('refuses a file with a second name where hard links are refused', async () => {
  using tree = tempTree(['f']);
  linkSync(tree.at('f'), tree.at('second'));
  await using boundary = await openBoundary(tree.path, { hardLinks: 'refuse' });
  await expect(boundary.copy('f', 'copy')).rejects.toMatchObject({ code: 'HARD_LINK' });
});

describe('a copy that is aborted', () => {
  test.each(['before it begins', 'in its middle'])('%s leaves nothing', async (when) => {
    using tree = tempTree();
    writeFileSync(tree.at('f'), Buffer.alloc(8 * 1024 * 1024));
    await using boundary = await openBoundary(tree.path);
    const before = openHandles(tree.path);
    const controller = new AbortController();
    if (when === 'before it begins') controller.abort();
    const copying = boundary.copy('f', 'copy', { signal: controller.signal });
    controller.abort();
    await expect(copying).rejects.toMatchObject({ name: 'AbortError' });
    expect(readdirSync(tree.path)).toEqual(['f']);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('calls the guards with read for the source and write for the target', async () => {
  using tree = tempTree(['one/f', 'two/']);
  const asked: string[] = [];
  const guard = (operation: string, relative: string) => void asked.push(`${operation} ${relative}`);
  await using one = await openBoundary(tree.at('one'), { guard });
  await using two = await openBoundary(tree.at('two'), { guard });
  await one.copy('f', 'g', { into: two });
  expect(asked).toEqual(['read f', 'write g']);
});
