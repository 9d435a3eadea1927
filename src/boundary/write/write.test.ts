import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/boundary-context.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([
    ['text', 'grüße', Buffer.from('grüße')],
    ['bytes', new Uint8Array([0, 255, 1]), Buffer.from([0, 255, 1])],
    ['nothing', '', Buffer.from('')],
  ])('writes %s to a new file and over an old one', async (_what, data, expected) => {
    using tree = tempTree(['old = something longer']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.write('new', data);
    await boundary.write('old', data);
    expect(readFileSync(tree.at('new'))).toEqual(expected);
    expect(readFileSync(tree.at('old'))).toEqual(expected);
    expect(readdirSync(tree.path)).toEqual(['new', 'old']);
  });

  test('makes missing directories where that is asked for', async () => {
    using tree = tempTree();
    await using boundary = openWith(driver, tree.path, {});
    await expect(boundary.write('a/b/f', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(existsSync(tree.at('a'))).toBe(false);
    await boundary.write('a/b/f', 'x', { parents: true });
    expect(readFileSync(tree.at('a', 'b', 'f'), 'utf8')).toBe('x');
  });

  test('has data and name on the disk where that is asked for', async () => {
    using tree = tempTree(['f = old']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.write('f', 'new', { flush: true });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('new');
  });
});

test('does not replace where a file must be new', async () => {
  using tree = tempTree(['f = old']);
  await using boundary = await openBoundary(tree.path);
  await expect(boundary.write('f', 'new', { exclusive: true })).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
    message: 'Cannot write "f": it exists already',
  });
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
});

describe('a write that is aborted', () => {
  test('before it begins touches nothing', async () => {
    using tree = tempTree(['f = old']);
    await using boundary = await openBoundary(tree.path);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(boundary.write('new/f', 'x', { signal, parents: true })).rejects.toThrow('enough');
    expect(readdirSync(tree.path)).toEqual(['f']);
  });

  test('in its middle leaves the old content and no other file', async () => {
    using tree = tempTree(['f = old']);
    await using boundary = await openBoundary(tree.path);
    const before = openHandles(tree.path);
    const controller = new AbortController();
    const writing = boundary.write('f', Buffer.alloc(16 * 1024 * 1024), { signal: controller.signal });
    controller.abort();
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
    expect(readdirSync(tree.path)).toEqual(['f']);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('many writes at once leave one of them, whole', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
  await Promise.all(contents.map((content) => boundary.write('f', content)));
  expect(contents).toContain(readFileSync(tree.at('f'), 'utf8'));
  expect(readdirSync(tree.path)).toEqual(['f']);
});

test('asks the guard to write, and for the real name', async () => {
  using tree = tempTree(['d/', 'link => d/f']);
  const asked: string[] = [];
  await using boundary = await openBoundary(tree.path, {
    guard: (operation, relative, last) => void asked.push(`${operation} ${relative} ${last}`),
  });
  await boundary.write('link', 'x');
  expect(asked).toEqual(['write link true', 'write d false', 'write d/f true']);
});

test('asks for a confirmation last, and changes nothing without it', async () => {
  using tree = tempTree(['f = old']);
  await using boundary = await openBoundary(tree.path);
  const confirm = (): void => {
    expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
    throw new Error('it has changed meanwhile');
  };
  await expect(boundary.write('f', 'new', { confirm })).rejects.toThrow('it has changed meanwhile');
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('old');
  expect(readdirSync(tree.path)).toEqual(['f']);
  await boundary.write('f', 'new', { confirm: () => {} });
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('new');
});
