import { expect, test } from 'vitest';
import { compileGlobs } from '../../path/glob.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { escapeGlob, type Start, startAt } from './start-at.ts';

async function start(entries: readonly string[], path: string): Promise<Start> {
  using tree = tempTree(['app/', ...entries]);
  await using call = await openToolCall([tree.at('app')]);
  return await call.access({ operation: 'list', path }, startAt);
}

test('a link is followed, so that results carry real names', async () => {
  const { relative, absolute, below, under } = await start(['app/src/deep/', 'app/link => src'], 'link/deep');
  expect(relative).toBe('src/deep');
  expect(absolute).toMatch(/app\/src\/deep$/);
  expect(below('src/deep/a.ts')).toBe('a.ts');
  expect(below('src/other')).toBeUndefined();
  expect(under('*.ts')).toBe('/src/deep/*.ts');
});

test('the root itself is a start', async () => {
  const { relative, below, under } = await start([], '.');
  expect([relative, below('a/b'), under('/x')]).toEqual(['.', 'a/b', '/x']);
});

test('refuses what is no directory, and what is not there', async () => {
  await expect(start(['app/a.txt'], 'a.txt')).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(start([], 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(start(['out/', 'app/link => ../out'], 'link')).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
  });
});

test.each(['a*b', 'a{b,c}d', '[x]', 'what?', '@(a)', '+(b', 'back\\slash'])(
  'the name %s stands for itself',
  (name) => {
    const globs = compileGlobs([`/${escapeGlob(name)}/*.ts`]);
    expect(globs.match(`${name}/a.ts`)).toBeDefined();
    expect(globs.match('ab/a.ts')).toBeUndefined();
  },
);
