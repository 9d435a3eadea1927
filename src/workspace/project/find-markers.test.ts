import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { chainPresets } from '../chain/chain-presets.ts';
import { resolveWorkspace } from '../chain/resolve-workspace.ts';
import { detectProject } from './detect-project.ts';
import { findMarkers, type FindMarkersOptions, parseMarker } from './find-markers.ts';
import { findProjects } from './find-projects.ts';

describe('findMarkers', () => {
  test("finds known markers by rank, and the product's own in their given order", async () => {
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

  test("accepts a known name as the product's own marker", async () => {
    expect(await find(['go.mod'], { product: ['go.mod'] })).toEqual({
      product: ['go.mod'],
      known: ['go.mod'],
    });
  });

  test('requires files to be files, and directories to be directories', async () => {
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

  test('asks for each name where there are too many to list', { timeout: 60_000 }, async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `n${index}`);
    const entries = [...many, 'package.json', '.git/', '.own', 'link', 'Cargo.toml => link'];
    expect(await find(entries, { product: ['.own', '.other'] })).toEqual({
      product: ['.own'],
      known: ['.git', 'package.json', 'Cargo.toml'],
    });
  });

  test('stops when it is aborted', async () => {
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

const bad: readonly [text: string, reason: string][] = [
  ['', 'it is empty'],
  ['.', 'it is not the name of a file'],
  ['..', 'it is not the name of a file'],
  ['a/b', 'it is more than one name'],
  ['/a', 'it is more than one name'],
  ['a/', 'it is more than one name'],
  ['./a', 'it is more than one name'],
  ['../x', 'it is more than one name'],
  ['..\\x', 'it is more than one name'],
  ['*.blue', 'it is a pattern, not a name'],
  ['.blu?', 'it is a pattern, not a name'],
  ['a\u0000b', 'it contains NUL'],
  ['\uD800', 'it contains a lone surrogate'],
  ['x'.repeat(256), 'a name in it is longer than 255'],
];

describe.each(bad)('%j is not a marker', (marker, reason) => {
  const refused = { code: 'INVALID_MARKER', data: { marker, reason } };

  test('for the rule', () => {
    expect(() => parseMarker(marker, 'posix')).toThrow(expect.objectContaining(refused));
  });

  test('for a search upward', async () => {
    await expect(detectProject('.', { markers: ['.ok', marker] })).rejects.toMatchObject(refused);
  });

  test('for a search downward, at once', () => {
    expect(() => findProjects('.', { markers: ['.ok', marker] })).toThrow(expect.objectContaining(refused));
  });

  test.each(Object.keys(chainPresets) as (keyof typeof chainPresets)[])(
    'for the chain %s, whatever the signals are',
    async (preset) => {
      const options = { preset, markers: ['.ok', marker] };
      await expect(resolveWorkspace({}, options)).rejects.toMatchObject(refused);
    },
  );
});

test.each(['.blue', 'blue.json', 'my project', '.ＢＬＵＥ', '...', '[slug]', '~x'])(
  '%j is a marker, and is found literally',
  async (marker) => {
    using tree = tempTree();
    tree.add(`app/${marker}/`);
    const project = await detectProject(tree.at('app'), { markers: [marker] });
    expect(project).toMatchObject({ kind: 'marker', markers: [marker] });
  },
);

test('names that Windows reserves are not markers there', () => {
  expect(parseMarker('a:b', 'posix')).toBe('a:b');
  for (const name of ['a:b', 'NUL', 'x.'])
    expect(() => parseMarker(name, 'win32')).toThrow(expect.objectContaining({ code: 'INVALID_MARKER' }));
});
