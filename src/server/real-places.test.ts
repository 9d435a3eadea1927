import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RootwardError } from '../errors.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { createRealPlaces } from './real-places.ts';

test('follows links, each time anew, and the way to what is not there', async () => {
  using tree = tempTree(['one/', 'two/', 'link => one']);
  const places = createRealPlaces();
  const paths = [tree.at('link'), tree.at('two'), tree.at('link', 'new', 'file')];
  expect(await places.find(paths)).toEqual([tree.at('one'), tree.at('two'), tree.at('one', 'new', 'file')]);
  symlinkSync(tree.at('two'), tree.at('other'));
  renameSync(tree.at('other'), tree.at('link'));
  expect(await places.find(paths)).toEqual([tree.at('two'), tree.at('two'), tree.at('two', 'new', 'file')]);
  rmSync(tree.at('link'));
  expect(await places.find([tree.at('link')])).toEqual([tree.at('link')]);
});

test('finds more than are asked about at a time, in order', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `/r${index}`);
  const places = createRealPlaces(async (path) => `/real${path}`);
  expect(await places.find(names)).toEqual(names.map((name) => `/real${name}`));
});

test('a disk that does not answer is asked once, and what it said before counts', async () => {
  let asked = 0;
  let answer: (real: string) => void = () => {};
  const silent = new Promise<string>((resolve) => (answer = resolve));
  const look = (): Promise<string> => {
    asked += 1;
    return asked === 1 ? Promise.resolve('/real') : asked === 2 ? silent : Promise.resolve('/again');
  };
  const places = createRealPlaces(look, 20);
  expect(await places.find(['/a'])).toEqual(['/real']);
  expect(await places.find(['/a'])).toEqual(['/real']);
  expect(await places.find(['/a'])).toEqual(['/real']);
  expect(asked).toBe(2);
  answer('/late');
  await expect.poll(() => places.find(['/a'])).toEqual(['/again']);
});

test('what cannot be followed is where its name says, and a fault of ours is no answer', async () => {
  const refused = new RootwardError('TOO_MANY_LINKS', { verb: 'open', path: '/a' });
  const places = createRealPlaces((path) => Promise.reject(path === '/a' ? refused : new Error('fault')));
  expect(await places.find(['/a'])).toEqual(['/a']);
  await expect(places.find(['/b'])).rejects.toThrow('fault');
});
