import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findMarkers, type FindMarkersOptions } from './find-markers.ts';

describe('findMarkers', () => {
  test('finds what is known by rank, and the own markers as they were asked for', async () => {
    const entries = [
      'Makefile',
      'b.sln',
      'a.sln',
      'package.json',
      '.git/',
      'x.txt',
      '.b',
      '.a/',
      'src/go.mod',
    ];
    expect(await find(entries, { product: ['.b', '.c', '.a'] })).toEqual({
      product: ['.b', '.a'],
      known: ['.git', 'package.json', 'a.sln', 'b.sln', 'Makefile'],
    });
  });

  test('takes a name of the table for an own marker too', async () => {
    expect(await find(['go.mod'], { product: ['go.mod'] })).toEqual({
      product: ['go.mod'],
      known: ['go.mod'],
    });
  });

  test('wants files to be files, and directories to be directories', async () => {
    expect(await find(['package.json/', 'a.sln/', '.hg', '.idea', 'App.xcodeproj', '.git'])).toEqual({
      product: [],
      known: ['.git'],
    });
  });

  test('follows links, out of the directory as well, and opens no FIFO', async () => {
    const entries = [
      'package.json => ../shared.json',
      'go.mod => nowhere',
      'Gemfile => Gemfile',
      'setup.py|',
      'pom.xml => pipe',
      'pipe|',
      '.hg => ../hg',
      'own => ../hg',
      'b.sln => ../hg',
    ];
    expect(await find(entries, { product: ['own'] })).toEqual({
      product: ['own'],
      known: ['.hg', 'package.json'],
    });
  });

  test('asks for each name where there are too many to list', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `n${index}`);
    const entries = [...many, 'package.json', '.git/', '.own', 'link', 'Cargo.toml => link'];
    expect(await find(entries, { product: ['.own', '.other'] })).toEqual({
      product: ['.own'],
      known: ['.git', 'package.json', 'Cargo.toml'],
    });
  });

  test('stops when it is told to', async () => {
    await expect(find(['a'], { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

async function find(
  entries: readonly string[],
  options?: FindMarkersOptions,
): Promise<{ product: readonly string[]; known: readonly string[] }> {
  using tree = tempTree([...entries.map((entry) => `dir/${entry}`), 'shared.json', 'hg/']);
  await using boundary = await openBoundary(tree.at('dir'));
  const { product, known } = await findMarkers(boundary, options);
  return { product, known: known.map(({ name }) => name) };
}
