import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';

describe('a boundary within a boundary', () => {
  test('reaches everything beneath it, and nothing of the outer one', async () => {
    using tree = tempTree(['ROOT/a/b/f', 'ROOT/secret', 'ROOT/a/up => ../secret']);
    await using outer = await openBoundary(tree.at('ROOT'));
    await using inner = await outer.openBelow('a', 'inner');
    expect(inner.name).toBe('inner');
    expect(inner.spellings).toEqual([tree.at('ROOT/a')]);
    expect(await inner.readText('b/f')).toBe('ROOT/a/b/f');
    await expect(inner.readText('../secret')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    await expect(inner.readText('up')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(await outer.readText('a/up')).toBe('ROOT/secret');
  });

  test('is not reached through a link that leads out', async () => {
    using tree = tempTree(['ROOT/out => ../OUT', 'OUT/f', 'ROOT/in => a', 'ROOT/a/f']);
    await using outer = await openBoundary(tree.at('ROOT'));
    await expect(outer.openBelow('out', 'x')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    await using inner = await outer.openBelow('in', 'x');
    expect(inner.spellings).toEqual([tree.at('ROOT/a')]);
  });

  test('can be one file', async () => {
    using tree = tempTree(['ROOT/a/f', 'ROOT/a/g', 'ROOT/p|']);
    await using outer = await openBoundary(tree.at('ROOT'));
    await using inner = await outer.openBelow('a/f', 'f');
    expect(inner.kind).toBe('file');
    expect(await inner.readText('.')).toBe('ROOT/a/f');
    await expect(inner.readText('g')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    await expect(outer.openBelow('p', 'p')).rejects.toMatchObject({ code: 'SPECIAL_FILE' });
  });

  test('keeps the rules of the outer one', async () => {
    using tree = tempTree(['ROOT/a/f']);
    const asked: string[] = [];
    await using outer = await openBoundary(tree.at('ROOT'), {
      guard: (_operation, relative) => void asked.push(relative),
    });
    await using inner = await outer.openBelow('a', 'x');
    await inner.readText('f');
    expect(asked).toEqual(['a', 'a/f']);
  });

  test('outlives the outer one', async () => {
    using tree = tempTree(['ROOT/a/f']);
    const outer = await openBoundary(tree.at('ROOT'));
    await using inner = await outer.openBelow('a', 'x');
    await outer.close();
    expect(await inner.readText('f')).toBe('ROOT/a/f');
  });
});
