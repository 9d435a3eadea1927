import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openCeiling } from './ceiling.ts';

const noStore = { get: () => undefined };

test('lists folders below a top, with breadcrumbs', async () => {
  using tree = tempTree([
    'work/b/',
    'work/a/c/',
    'work/file.txt',
    'work/.git/',
    'work/link => ../out',
    'out/',
  ]);
  await using ceiling = await openCeiling({ tops: [tree.at('work')], bounded: true });
  const view = await ceiling.browse(tree.at('work'), noStore);
  expect(view.folders.map(({ name, hidden }) => [name, hidden])).toEqual([
    ['.git', true],
    ['a', false],
    ['b', false],
  ]);
  const below = await ceiling.browse(tree.at('work/a'), noStore);
  expect(below.crumbs.map(({ name }) => name)).toEqual(['work', 'a']);
  expect(below.folders).toEqual([{ name: 'c', path: tree.at('work/a/c'), hidden: false }]);
});

test('refuses folders elsewhere, also through a link', async () => {
  using tree = tempTree(['work/way => ../out', 'out/secret/', 'work/app/']);
  await using ceiling = await openCeiling({ tops: [tree.at('work')], bounded: true });
  for (const path of [tree.at('out'), tree.at('work/way'), tree.at('work/../out'), '/', 'relative/..']) {
    await expect(ceiling.browse(path, noStore)).rejects.toThrow();
    await expect(ceiling.requireInside(path)).rejects.toThrow();
  }
  await ceiling.requireInside(tree.at('work/app'));
  await ceiling.requireInside(tree.at('work'));
});

test('without a bound any path may be added, but only the tops can be browsed', async () => {
  using tree = tempTree(['work/', 'out/']);
  await using ceiling = await openCeiling({
    tops: [tree.at('work'), tree.at('gone'), tree.at('work')],
    bounded: false,
  });
  expect(ceiling.tops).toHaveLength(1);
  await ceiling.requireInside(tree.at('out'));
  await expect(ceiling.browse(tree.at('out'), noStore)).rejects.toThrow();
});
