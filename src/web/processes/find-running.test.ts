import { expect, test } from 'vitest';
import { openOwnDirectory } from '../../config/open-own-directory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRunning, readJson } from './find-running.ts';
import { announce } from './running.ts';

test('what is no announcement is left out', async () => {
  using tree = tempTree([
    'a.json = {',
    'b.json = {"id":"c"}',
    'd.json = []',
    'note.txt',
    'e.json = {"id":"e","pid":1}',
  ]);
  await using state = await openOwnDirectory(tree.path);
  expect(await findRunning(state)).toEqual([]);
});

test('a file that nobody holds is a process that is gone', async () => {
  const text = JSON.stringify({
    id: 'x',
    pid: process.pid,
    command: 'serve',
    connections: [],
    questions: [],
  });
  using tree = tempTree([`x.json = ${text}`, 'x.lock = ', 'x.q.answer = "once"', 'x.q.taken = ']);
  await using state = await openOwnDirectory(tree.path);
  expect(await findRunning(state)).toEqual([]);
  await findRunning(state);
  expect((await state.list('.')).entries).toEqual([]);
});

test('a process that lives and says half of what it should is left out, and not taken for dead', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.path);
  await using live = await announce(tree.path, {
    command: 'serve',
    version: '1',
    directory: '/',
    connections: [],
  });
  const half = JSON.stringify({
    id: live.id,
    pid: process.pid,
    command: 'serve',
    connections: [],
    questions: [],
  });
  await state.write(`${live.id}.json`, half);
  expect(await findRunning(state)).toEqual([]);
  expect(await readJson(state, `${live.id}.json`)).toMatchObject({ id: live.id });
});

test('those who run are told in the order in which they began', async () => {
  using tree = tempTree();
  const said = { version: '1', directory: '/', connections: [] };
  await using first = await announce(tree.path, { command: 'web', ...said });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await using second = await announce(tree.path, { command: 'serve', ...said });
  await using state = await openOwnDirectory(tree.path);
  expect((await findRunning(state)).map(({ id }) => id)).toEqual([first.id, second.id]);
});

test('reads what is there', async () => {
  using tree = tempTree(['a = 1', 'b = {']);
  await using state = await openOwnDirectory(tree.path);
  expect([await readJson(state, 'a'), await readJson(state, 'b'), await readJson(state, 'c')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});
