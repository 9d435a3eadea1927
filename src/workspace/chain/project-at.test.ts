import { describe, expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots } from '../../path/root.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { allSources } from '../sources/all-sources.ts';
import { createChainContext, type ResolveOptions } from './chain-context.ts';
import type { UsablePlace } from './judge-place.ts';
import { projectAt } from './project-at.ts';
import { realDisk } from './real-disk.ts';

function placeAt(tree: TempTree, name: string, kind: UsablePlace['kind'] = 'directory'): UsablePlace {
  const path = tree.at(name);
  return { path, real: path, kind, name: undefined, via: undefined, trust: 'likely' };
}

function contextOf(tree: TempTree, options: ResolveOptions, ...within: readonly string[]) {
  const roots = parseRoots(within.map((name) => ({ uri: toFileUri(tree.at(name)) }))).roots;
  const around = { platform: 'posix', home: tree.at('home') } as const;
  return createChainContext({}, { ...options, within: roots }, { around, disk: realDisk });
}

describe('upward', () => {
  const layout = [
    'repo/.git/HEAD',
    'repo/package.json = {"name":"secret"}',
    'repo/pkg/go.mod',
    'repo/pkg/src/',
  ];

  test('finds a project within the allowed roots, and looks at nothing above', async () => {
    using tree = tempTree(layout);
    const find = (...within: readonly string[]) =>
      projectAt(contextOf(tree, {}, ...within), allSources['walk-up'], placeAt(tree, 'repo/pkg/src'));
    expect(await find('repo/pkg')).toMatchObject({ location: tree.at('repo/pkg'), kind: 'manifest' });
    expect(await find('repo/pkg/src')).toBe('no project above it within what is allowed');
    // Negative control: with the repository allowed, it is the project.
    expect(await find('repo')).toMatchObject({ location: tree.at('repo'), name: 'secret' });
    expect(await find('repo/pkg/src', 'repo')).toMatchObject({ location: tree.at('repo') });
  });

  test('a marker above the allowed roots is not found', async () => {
    using tree = tempTree(['app/.blue/', 'app/src/deep/']);
    const find = (within: string) =>
      projectAt(
        contextOf(tree, { preset: 'rfc-0020' }, within),
        allSources['walk-up'],
        placeAt(tree, 'app/src/deep'),
      );
    expect(await find('app/src')).toBe('no project above it within what is allowed');
    expect(await find('app')).toMatchObject({ location: tree.at('app') });
  });

  test('a project that the disk finds outside is refused, and not named', async () => {
    using tree = tempTree(layout);
    const context = contextOf(tree, {}, 'repo/pkg');
    const careless = {
      ...realDisk,
      detect: () => realDisk.describe(tree.at('repo')),
    };
    const judge = { ...context.judge, disk: careless };
    const place = placeAt(tree, 'repo/pkg/src');
    expect(await projectAt({ ...context, judge }, allSources['walk-up'], place)).toBe(
      'what was found above it is outside of what is allowed',
    );
  });
});

describe('a file', () => {
  test('stands for its directory, which is not read if only the file is allowed', async () => {
    using tree = tempTree(['app/package.json = {"name":"secret"}', 'app/notes.md']);
    const describeFile = (within: string) =>
      projectAt(contextOf(tree, {}, within), allSources.roots, placeAt(tree, 'app/notes.md', 'file'));
    expect(await describeFile('app/notes.md')).toEqual({
      name: 'app',
      location: tree.at('app'),
      id: expect.any(String),
      kind: 'directory',
      markers: [],
    });
    expect(await describeFile('app')).toMatchObject({ name: 'secret', markers: ['package.json'] });
  });
});
