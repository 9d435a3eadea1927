import { expect, test } from 'vitest';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { AnnouncedProcess } from '../wire/wire.ts';
import { findRunning, parseProcess, readJson } from './find-running.ts';
import { announce } from './running.ts';

test('skips files that are not announcements', async () => {
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

test('a file without a lock belongs to a dead process', async () => {
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

test('a live process with an incomplete announcement is skipped, but not taken for dead', async () => {
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

test('lists running processes in the order they started', async () => {
  using tree = tempTree();
  const said = { version: '1', directory: '/', connections: [] };
  await using first = await announce(tree.path, { command: 'web', ...said });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await using second = await announce(tree.path, { command: 'serve', ...said });
  await using state = await openOwnDirectory(tree.path);
  expect((await findRunning(state)).map(({ id }) => id)).toEqual([first.id, second.id]);
});

test('reads a JSON file', async () => {
  using tree = tempTree(['a = 1', 'b = {']);
  await using state = await openOwnDirectory(tree.path);
  expect([await readJson(state, 'a'), await readJson(state, 'b'), await readJson(state, 'c')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

const time = '2026-01-01T00:00:00.000Z';
const whole: AnnouncedProcess = {
  id: 'serve-1-a',
  pid: 1,
  command: 'serve',
  version: '1.0.0',
  started: time,
  directory: '/app',
  rules: { policy: { preset: 'read-only' }, limited: false, follows: true },
  connections: [
    {
      id: '1',
      transport: 'http',
      declared: { roots: true, listChanged: false, elicitation: false },
      answered: { state: 'listed', roots: 1 },
      changes: 0,
      since: time,
      seen: time,
      roots: ['app'],
      places: ['/app'],
      trail: [{ source: 'roots', outcome: 'chosen', offered: ['/app'], reason: 'it exists' }],
    },
  ],
  questions: [
    {
      id: 'q',
      kind: 'access',
      who: 'editor',
      operation: 'write',
      roots: ['app'],
      places: ['/app'],
      session: true,
      follows: false,
      reason: 'it asks',
      asked: time,
      until: time,
    },
  ],
};

test('accepts an announcement of this version', () => {
  expect(parseProcess(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});

test('accepts unknown fields of another version', () => {
  expect(parseProcess({ ...whole, mood: 'good' })).toMatchObject({ id: 'serve-1-a' });
  const { places: _places, ...older } = whole.connections[0] ?? { places: [] };
  expect(parseProcess({ ...whole, connections: [older] })?.connections[0]?.places).toEqual([]);
});

test.each([
  ['nothing', undefined],
  ['a list', []],
  ['no time of its start', { ...whole, started: undefined }],
  ['a time that is none', { ...whole, started: 'yesterday' }],
  ['another command', { ...whole, command: 'format' }],
  ['connections that are none', { ...whole, connections: [{}] }],
  ['no trail', { ...whole, connections: [{ ...whole.connections[0], trail: undefined }] }],
  ['a question without roots', { ...whole, questions: [{ ...whole.questions[0], roots: undefined }] }],
  ['half a number of pages', { ...whole, pages: 0.5 }],
])('rejects %s', (_, value) => {
  expect(parseProcess(value)).toBeUndefined();
});
