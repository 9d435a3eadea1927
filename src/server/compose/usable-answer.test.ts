import { describe, expect, test } from 'vitest';
import { parseRoots, type Root } from '../../path/root.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { usableAnswer } from './usable-answer.ts';

const rootsAt = (...paths: readonly string[]): readonly Root[] =>
  parseRoots(paths.map((uri) => ({ uri }))).roots;
const listed = (...paths: readonly string[]): RootsAnswer => ({ state: 'listed', roots: rootsAt(...paths) });
const anywhere = { mode: 'union', ceiling: undefined } as const;

describe('a list', () => {
  test('in which one root exists stays whole', async () => {
    using tree = tempTree(['app/']);
    const answer = listed(tree.at('gone'), tree.at('app'));
    const looked = await usableAnswer(answer, anywhere);
    expect(looked).toEqual({ ...answer, looked: true });
    expect(await usableAnswer(looked, anywhere)).toBe(looked);
  });

  test('in which only a file exists stays whole; what is neither a file nor a directory does not count', async () => {
    using tree = tempTree(['app/a.txt', 'link => app/a.txt']);
    for (const name of ['app/a.txt', 'link']) {
      const answer = listed(tree.at('gone'), tree.at(name));
      expect(await usableAnswer(answer, anywhere)).toEqual({ ...answer, looked: true });
    }
    for (const path of ['/dev/null', tree.at('app/a.txt/more')])
      expect(await usableAnswer(listed(path), anywhere)).toMatchObject({ state: 'empty' });
  });

  test('in which none exists is empty, until one appears', async () => {
    using tree = tempTree();
    const empty = await usableAnswer(listed(tree.at('a'), tree.at('b')), anywhere);
    expect(empty).toMatchObject({ state: 'empty', revoked: false });
    expect(empty).toHaveProperty('issues.length', 2);
    expect(await usableAnswer(empty, anywhere)).toBe(empty);
    tree.add('b/');
    const again = await usableAnswer(empty, anywhere);
    expect(again).toEqual({ ...listed(tree.at('a'), tree.at('b')), looked: true });
  });

  test('in which none exists revokes, if the client had listed others before', async () => {
    using tree = tempTree();
    const answer = { ...listed(tree.at('a')), again: true } as RootsAnswer;
    expect(await usableAnswer(answer, anywhere)).toMatchObject({ state: 'empty', revoked: true });
  });

  test('of thousands keeps the first that exist, and a few that may appear', async () => {
    using tree = tempTree(['app/', 'lib/']);
    const gone = Array.from({ length: 2_000 }, (_, index) => tree.at(`gone-${index}`));
    const looked = await usableAnswer(listed(tree.at('app'), ...gone, tree.at('lib')), anywhere);
    if (looked.state !== 'listed') throw new Error(looked.state);
    expect(looked.roots).toHaveLength(66);
    expect(looked.roots.at(-1)?.path).toBe(tree.at('lib'));
    expect(looked.issues).toHaveLength(256);
  });
});

describe('where a client cannot widen', () => {
  test('a place outside of the ceiling is not looked at, whether or not it exists', async () => {
    using tree = tempTree(['srv/', 'there/']);
    const scope = { mode: 'intersect', ceiling: rootsAt(tree.at('srv')) } as const;
    for (const name of ['there', 'gone']) {
      const answer = listed(tree.at(name));
      expect(await usableAnswer(answer, scope)).toEqual({ ...answer, looked: true });
    }
    expect(await usableAnswer(listed(tree.at('srv/gone')), scope)).toMatchObject({ state: 'empty' });
  });

  test('nothing is looked at, if only the operator decides', async () => {
    const answer = listed('/nowhere/app');
    expect(await usableAnswer(answer, { mode: 'operator', ceiling: undefined })).toBe(answer);
  });
});
