import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRealPath, openPlace, realPathOf, tryOpen } from './open-place.ts';

describe('tryOpen', () => {
  test('opens a directory or a file, links followed', async () => {
    using tree = tempTree(['dir/a', 'link => dir', 'file => dir/a']);
    await using directory = await openPlace(tree.at('link'));
    await using file = await openPlace(tree.at('file'));
    expect([directory?.kind, file?.kind]).toEqual(['directory', 'file']);
    expect(directory === undefined ? '' : realPathOf(directory)).toBe(tree.at('dir'));
  });

  test.each([
    ['gone', 'NOT_FOUND'],
    ['broken', 'NOT_FOUND'],
    ['a/b', 'NOT_A_DIRECTORY'],
    ['loop', 'TOO_MANY_LINKS'],
    ['p', 'SPECIAL_FILE'],
    ['x'.repeat(300), 'NAME_TOO_LONG'],
  ])('says why %s cannot be opened', async (name, code) => {
    using tree = tempTree(['a', 'loop => loop', 'broken => nowhere', 'p|']);
    expect(await tryOpen(tree.at(name))).toEqual({ refused: code });
    expect(await openPlace(tree.at(name))).toBeUndefined();
  });
});

describe('findRealPath', () => {
  test('returns where a path leads, or undefined', async () => {
    using tree = tempTree(['dir/a', 'link => dir']);
    expect(await findRealPath(tree.at('link', 'a'))).toBe(tree.at('dir', 'a'));
    expect(await findRealPath(tree.at('link', 'b'))).toBeUndefined();
  });
});
