import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { describeProject } from './describe-project.ts';

test('a marked directory is named by its manifest', async () => {
  using tree = tempTree(['a/package.json = {"name":"@x/app"}']);
  expect(await describeProject(tree.at('a'))).toMatchObject({
    name: '@x/app',
    location: tree.at('a'),
    kind: 'manifest',
    markers: ['package.json'],
  });
});

test("the product's own marker counts most", async () => {
  using tree = tempTree(['a/.blue/', 'a/Makefile']);
  expect(await describeProject(tree.at('a'), ['.blue'])).toMatchObject({
    kind: 'marker',
    markers: ['.blue', 'Makefile'],
  });
});

test('a directory that nothing marks is a project all the same, if somebody names it', async () => {
  using tree = tempTree(['plain/', 'b/plain/']);
  const [one, other] = [await describeProject(tree.at('plain')), await describeProject(tree.at('b/plain'))];
  expect(one).toMatchObject({ name: 'plain', kind: 'directory', markers: [] });
  expect(one.id).not.toBe(other.id);
});

test('a directory that cannot be opened has its name', async () => {
  using tree = tempTree();
  expect(await describeProject(tree.at('gone'))).toMatchObject({ name: 'gone', kind: 'directory' });
});
