import { expect, test } from 'vitest';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { ProjectVisitor } from './project-visitor.ts';

test('describes a directory by its markers, and those in it by their relation', async () => {
  using tree = tempTree([
    '.git/HEAD',
    'package.json = {"name":"top","workspaces":["packages/*"]}',
    'packages/a/package.json = {"name":"a"}',
  ]);
  await using boundary = await openBoundary(tree.path);
  const visitor = await ProjectVisitor.start(boundary, {});
  const top = await visitor.visit('', [
    { name: 'package.json', kind: 'file' },
    { name: '.git', kind: 'directory' },
  ]);
  expect(top).toMatchObject({
    name: 'top',
    kind: 'repository',
    depth: 0,
    member: false,
    location: tree.path,
  });
  const inner = await visitor.visit('packages/a/', [{ name: 'package.json', kind: 'file' }]);
  expect(inner).toMatchObject({ name: 'a', kind: 'manifest', depth: 2, member: true, parent: tree.path });
  expect(inner?.id).not.toBe(top?.id);
});

test('tells of a manifest that cannot be read once, and goes on', async () => {
  using tree = tempTree(['package.json = {"name"']);
  await using boundary = await openBoundary(tree.path);
  const issues: string[] = [];
  const visitor = await ProjectVisitor.start(boundary, { onIssue: (issue) => issues.push(issue) });
  const project = await visitor.visit('', [{ name: 'package.json', kind: 'file' }]);
  expect(project?.kind).toBe('manifest');
  expect(issues).toHaveLength(1);
  expect(issues[0]).toContain('package.json');
});

test('sees no project where there is no marker', async () => {
  using tree = tempTree(['a/']);
  await using boundary = await openBoundary(tree.path);
  const visitor = await ProjectVisitor.start(boundary, {});
  expect(await visitor.visit('a/', [])).toBeUndefined();
});
