import { expect, test } from 'vitest';
import { parseProcess } from './parse-process.ts';
import type { AnnouncedProcess } from '../wire/wire.ts';

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
      trail: [{ source: 'roots', outcome: 'chosen', offered: ['/app'], reason: 'it is there' }],
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

test('what a process of ours says is taken as it is', () => {
  expect(parseProcess(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});

test('what another version says beside it is no fault', () => {
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
])('%s is no announcement', (_, value) => {
  expect(parseProcess(value)).toBeUndefined();
});
