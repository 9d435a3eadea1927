import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots } from '../../path/root.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { isRelative, projectFirst } from './project-first.ts';

test('a relative path is one from the project, and from nowhere without one', async () => {
  using tree = tempTree(['one/a.txt', 'two/a.txt']);
  const entries = ['one', 'two'].map((name) => ({ uri: toFileUri(tree.at(name)) }));
  await using workspace = await openWorkspace(parseRoots(entries).roots);
  const inTwo = projectFirst(workspace, tree.at('two'));
  expect(inTwo.locate('a.txt')).toMatchObject({ root: { name: 'two' }, relative: 'a.txt' });
  expect(inTwo.locate(tree.at('one/a.txt'))).toMatchObject({ root: { name: 'one' } });
  expect(projectFirst(workspace, undefined).locate('a.txt')).toBeUndefined();
});

test.each([
  ['a.txt', true],
  ['ab:c.txt', true],
  ['../a', true],
  ['/a', false],
  ['file:a', false],
  ['https://x.example/a', false],
])('%s is relative: %s', (path, expected) => {
  expect(isRelative(path)).toBe(expected);
});
