import { expect, test } from 'vitest';
import { compileGlobs } from '../../path/glob.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { escapeGlob, realPlaceOf, type SearchStart, startAt } from './search-start.ts';

async function start(entries: readonly string[], path: string): Promise<SearchStart> {
  using tree = tempTree(['app/', ...entries]);
  await using call = await openToolCall([tree.at('app')]);
  return await call.access({ operation: 'list', path }, startAt);
}

test('follows a link, so that results have real names', async () => {
  const { relative, absolute, below, under } = await start(['app/src/deep/', 'app/link => src'], 'link/deep');
  expect(relative).toBe('src/deep');
  expect(absolute).toMatch(/app\/src\/deep$/);
  expect(below('src/deep/a.ts')).toBe('a.ts');
  expect(below('src/other')).toBeUndefined();
  expect(under('*.ts')).toBe('/src/deep/*.ts');
});

test('accepts the root itself as start', async () => {
  const { relative, below, under } = await start([], '.');
  expect([relative, below('a/b'), under('/x')]).toEqual(['.', 'a/b', '/x']);
});

test('refuses a file and a missing directory', async () => {
  await expect(start(['app/a.txt'], 'a.txt')).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(start([], 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(start(['out/', 'app/link => ../out'], 'link')).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
  });
});

test.each(['a*b', 'a{b,c}d', '[x]', 'what?', '@(a)', '+(b', 'back\\slash'])(
  'the name %s is literal',
  (name) => {
    const globs = compileGlobs([`/${escapeGlob(name)}/*.ts`]);
    expect(globs.match(`${name}/a.ts`)).toBeDefined();
    expect(globs.match('ab/a.ts')).toBeUndefined();
  },
);

test('follows links within the root, and accepts a root that is one file', async () => {
  using tree = tempTree(['app/src/a.ts', 'app/link => src', 'b.txt']);
  await using call = await openToolCall([tree.at('app'), tree.at('b.txt')]);
  const place = (path: string): Promise<string> => call.access({ operation: 'list', path }, realPlaceOf);
  expect(await place('link/a.ts')).toBe(tree.at('app/src/a.ts'));
  expect(await place('.')).toBe(tree.at('app'));
  expect(await place(tree.at('b.txt'))).toBe(tree.at('b.txt'));
});
