import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { describeFinding } from './describe-finding.ts';
import { findMarkers } from './find-markers.ts';
import type { Project } from './project.ts';

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

  test('reads a few manifests, and names a few markers', async () => {
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
