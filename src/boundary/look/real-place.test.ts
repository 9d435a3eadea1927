import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findOwnPlace, findRealPlace } from './real-place.ts';

test.each([
  ['a file', 'real/r', 'real/r'],
  ['a link to a file', 'link', 'real/r'],
  ['a file behind a linked directory', 'there/r', 'real/r'],
  ['nothing', 'no/r', 'no/r'],
  ['nothing behind a linked directory', 'there/none/r', 'real/none/r'],
  ['a link to nothing', 'dangling', 'nowhere/r'],
  ['a link to a link to nothing', 'twice', 'nowhere/r'],
  ['something behind a linked directory that is not there', 'later/r', 'gone/r'],
  ['something behind a file', 'real/r/x', 'real/r/x'],
])('%s has a place', async (_what, path, expected) => {
  using tree = tempTree([
    'real/r',
    'link => real/r',
    'there => real',
    'dangling => nowhere/r',
    'twice => dangling',
    'later => gone',
  ]);
  expect(await findRealPlace(tree.at(path))).toBe(tree.at(expected));
  expect(existsSync(tree.at('nowhere'))).toBe(false);
});

test('links that lead to each other lead nowhere', async () => {
  using tree = tempTree(['a => b', 'b => a']);
  await expect(findRealPlace(tree.at('a', 'x'))).rejects.toMatchObject({ code: 'TOO_MANY_LINKS' });
});

test('names every link on the way at its own place, and the file by what it is', async () => {
  using tree = tempTree(['one/two/', 'a => one', 'one/b => two', 'one/two/file', 'one/two/c => file']);
  const { real, links, file } = await findOwnPlace(tree.at('a/b/c'));
  expect({ real, links }).toEqual({
    real: tree.at('one/two/file'),
    links: [tree.at('a'), tree.at('one/b'), tree.at('one/two/c')],
  });
  expect(file).toMatchObject({ linked: false });
  expect(await findOwnPlace(tree.at('one/new/file'))).toEqual({ real: tree.at('one/new/file'), links: [] });
});
