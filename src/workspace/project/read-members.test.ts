import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readOnce } from '../ecosystems/manifest/read-manifest.ts';
import { findMarkers } from './find-markers.ts';
import { type DeclaredMembers, readMembers } from './read-members.ts';

interface Read {
  readonly declared: readonly DeclaredMembers[];
  readonly issues: readonly string[];
}

async function read(entries: readonly string[]): Promise<Read> {
  using tree = tempTree(entries);
  await using boundary = await openBoundary(tree.path);
  const { known } = await findMarkers(boundary);
  const issues: string[] = [];
  const declared = await readMembers(known, {
    directory: tree.path,
    read: readOnce(boundary),
    onIssue: (issue) => issues.push(issue),
  });
  return { declared, issues };
}

test('each file declares for its own ecosystem', async () => {
  const { declared, issues } = await read([
    'package.json = { "workspaces": ["web/*"] }',
    'Cargo.toml = [workspace]\nmembers=["crates/*"]',
    'Makefile = all:',
  ]);
  expect(declared.map(({ marker }) => marker.ecosystem)).toEqual(['node', 'rust']);
  expect(declared.map((members) => members.has('web/a'))).toEqual([true, false]);
  expect(declared.map((members) => members.has('crates/a'))).toEqual([false, true]);
  expect(issues).toEqual([]);
});

test('files that declare nothing are left out', async () => {
  expect(await read(['package.json = { "name": "a" }', 'go.mod = module a', '.git/HEAD'])).toEqual({
    declared: [],
    issues: [],
  });
});

describe('an issue', () => {
  test('is reported for a file that cannot be read, and the others are read', async () => {
    const { declared, issues } = await read(['package.json = {', 'go.work = use ./a']);
    expect(declared.map(({ marker }) => marker.file)).toEqual(['go.work']);
    expect(issues).toEqual([expect.stringMatching(/^Cannot read "package.json": /)]);
  });

  test('is reported for a pattern that cannot be used', async () => {
    const { declared, issues } = await read(['package.json = { "workspaces": ["+(a|b)", "c"] }']);
    expect(declared.map((members) => members.has('c'))).toEqual([true]);
    expect(issues).toEqual([
      expect.stringMatching(/^Cannot use all packages of "package.json": "\+\(a\|b\)" is no pattern: /),
    ]);
  });
});

test('of thousands of workspace files only a few are read', async () => {
  const files = Array.from(
    { length: 100 },
    (_, index) => `${index}.code-workspace = { "folders": [{ "path": "a" }] }`,
  );
  expect((await read(files)).declared).toHaveLength(8);
});
