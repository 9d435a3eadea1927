import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OwnPlace } from '../../boundary/look/real-place.ts';
import { RootwardError } from '../../errors.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createRealPlaces, type RealPlaces } from './real-places.ts';

const at = (real: string): { real: string; links: string[] } => ({ real, links: [] });
const realOf = async (places: RealPlaces, paths: readonly string[]): Promise<readonly string[]> =>
  (await places.find(paths)).map(({ real }) => real);

test('follows links each time, also towards a missing file', async () => {
  using tree = tempTree(['one/', 'two/', 'link => one']);
  const places = createRealPlaces();
  const paths = [tree.at('link'), tree.at('two'), tree.at('link', 'new', 'file')];
  expect(await realOf(places, paths)).toEqual([
    tree.at('one'),
    tree.at('two'),
    tree.at('one', 'new', 'file'),
  ]);
  symlinkSync(tree.at('two'), tree.at('other'));
  renameSync(tree.at('other'), tree.at('link'));
  expect(await realOf(places, paths)).toEqual([
    tree.at('two'),
    tree.at('two'),
    tree.at('two', 'new', 'file'),
  ]);
  rmSync(tree.at('link'));
  expect(await realOf(places, [tree.at('link')])).toEqual([tree.at('link')]);
});

test('resolves more than the concurrent limit, in order', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `/r${index}`);
  const places = createRealPlaces(async (path) => at(`/real${path}`));
  expect(await realOf(places, names)).toEqual(names.map((name) => `/real${name}`));
});

test('asks a silent disk once, and uses its previous answer', async () => {
  let asked = 0;
  let answer: (place: OwnPlace) => void = () => {};
  const silent = new Promise<OwnPlace>((resolve) => (answer = resolve));
  const look = (): Promise<OwnPlace> => {
    asked += 1;
    return asked === 1 ? Promise.resolve(at('/real')) : asked === 2 ? silent : Promise.resolve(at('/again'));
  };
  const places = createRealPlaces(look, 20);
  expect(await realOf(places, ['/a'])).toEqual(['/real']);
  expect(await realOf(places, ['/a'])).toEqual(['/real']);
  expect(await realOf(places, ['/a'])).toEqual(['/real']);
  expect(asked).toBe(2);
  answer(at('/late'));
  await expect.poll(() => realOf(places, ['/a'])).toEqual(['/again']);
});

test('uses the given path if it cannot be resolved, and rethrows our own errors', async () => {
  const refused = new RootwardError('TOO_MANY_LINKS', { verb: 'open', path: '/a' });
  const places = createRealPlaces((path) => Promise.reject(path === '/a' ? refused : new Error('fault')));
  expect(await realOf(places, ['/a'])).toEqual(['/a']);
  await expect(places.find(['/b'])).rejects.toThrow('fault');
});
