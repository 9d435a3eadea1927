import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { describeByText, describeFinding, describeProject } from './describe-project.ts';
import { findMarkers } from './find-markers.ts';
import type { Project } from './project.ts';

test('a marked directory is named by its manifest', async () => {
  using tree = tempTree(['a/package.json = {"name":"@x/app"}']);
  expect(await describeProject(tree.at('a'))).toMatchObject({
    name: '@x/app',
    location: tree.at('a'),
    kind: 'manifest',
    markers: ['package.json'],
  });
});

test("the product's own marker takes precedence", async () => {
  using tree = tempTree(['a/.blue/', 'a/Makefile']);
  expect(await describeProject(tree.at('a'), ['.blue'])).toMatchObject({
    kind: 'marker',
    markers: ['.blue', 'Makefile'],
  });
});

test('a directory without markers is a project if it is named explicitly', async () => {
  using tree = tempTree(['plain/', 'b/plain/']);
  const [one, other] = [await describeProject(tree.at('plain')), await describeProject(tree.at('b/plain'))];
  expect(one).toMatchObject({ name: 'plain', kind: 'directory', markers: [] });
  expect(one.id).not.toBe(other.id);
});

test('a directory that cannot be opened is named after its path', async () => {
  using tree = tempTree();
  expect(await describeProject(tree.at('gone'))).toMatchObject({ name: 'gone', kind: 'directory' });
});

describe('describeFinding', () => {
  test('takes the name from the best manifest that has one', async () => {
    const { project, issues } = await describeTree([
      'package.json = {"private":true}',
      'Cargo.toml = [package',
      'pyproject.toml = [project]\nname="snake"',
      'pom.xml = <project><artifactId>late</artifactId></project>',
    ]);
    expect(project.name).toBe('snake');
    expect(issues).toEqual([expect.stringMatching(/^Cannot read "Cargo\.toml": line 1, column /)]);
  });

  test('takes the last name of the path without one', async () => {
    expect((await describeTree(['Gemfile'])).project).toMatchObject({ name: 'dir', markers: ['Gemfile'] });
  });

  test('does not read a manifest that leads out of the directory', async () => {
    const { project, issues } = await describeTree(['package.json => ../other.json']);
    expect(project).toMatchObject({ name: 'dir', markers: ['package.json'] });
    expect(issues).toEqual(['Cannot reach "package.json": it is outside the roots']);
  });

  test('limits the manifests it reads and the markers it names', async () => {
    const entries = Array.from({ length: 50 }, (_, index) => `a\u0001${index}.sln`);
    const { project, issues } = await describeTree(entries);
    expect(project.name).toBe('dir');
    expect(project.markers).toHaveLength(32);
    expect(issues).toHaveLength(8);
  });
});

async function describeTree(entries: readonly string[]): Promise<{ project: Project; issues: string[] }> {
  using tree = tempTree([...entries.map((entry) => `dir/${entry}`), 'other.json = {"name":"other"}']);
  await using boundary = await openBoundary(tree.at('dir'));
  const found = await findMarkers(boundary);
  const issues: string[] = [];
  const finding = { directory: tree.at('dir'), kind: 'manifest', found } as const;
  const project = await describeFinding(finding, tree.at('dir'), { onIssue: (issue) => issues.push(issue) });
  return { project, issues };
}

test('describeByText uses the last name, and not the disk', () => {
  expect(describeByText('/nowhere/at/all')).toEqual({
    name: 'all',
    location: '/nowhere/at/all',
    id: expect.stringMatching(/^all-[0-9a-f]{16}$/),
    kind: 'directory',
    markers: [],
  });
  expect(describeByText('/nowhere/at/all')).toEqual(describeByText('/nowhere/at/all'));
  expect(describeByText('/elsewhere/all').id).not.toBe(describeByText('/nowhere/at/all').id);
});

test('a whole file system is named after its path, and a drive keeps its letter', () => {
  expect(describeByText('/').name).toBe('/');
  expect(describeByText('C:\\work\\app').name).toBe('app');
});
