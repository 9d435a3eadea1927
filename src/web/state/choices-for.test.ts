import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';
import { choicesFor, isKeepable } from './choices-for.ts';
import type { AskedQuestion } from '../wire/wire.ts';

const asked: AskedQuestion = {
  id: 'q',
  kind: 'access',
  who: 'Editor',
  operation: 'write',
  path: 'a.txt',
  roots: ['docs'],
  places: ['/work/docs'],
  server: 'rootward',
  session: true,
  follows: true,
  reason: 'it asks',
  asked: '2026-01-01T00:00:00.000Z',
  until: '2026-01-01T00:02:00.000Z',
};
const kept = { get: (which: string) => (which === '/work/docs' ? { ...stored, path: which } : undefined) };
const stored = {
  name: 'docs',
  path: '/work/docs',
  uri: 'file:///work/docs',
  kind: 'directory',
  permissions: {},
  servers: {},
  grants: [],
} as const;
const none = { get: () => undefined };

test('each answer names its scope', () => {
  expect(choicesFor(asked, kept)).toEqual([
    { answer: 'once', covers: 'this write only', kept: false },
    { answer: 'session', covers: 'every write in "docs", until "Editor" disconnects', kept: false },
    {
      answer: 'always',
      covers: 'every write in "docs", for every client of the server "rootward", until you change it',
      kept: true,
    },
    {
      answer: 'never',
      covers: 'no write in "docs", for every client of the server "rootward", until you change it',
      kept: true,
    },
  ]);
});

test('does not offer a lasting answer that cannot be stored', () => {
  const notKept = choicesFor(asked, none);
  expect(notKept.map(({ answer, kept: isKept }) => [answer, isKept])).toEqual([
    ['once', false],
    ['session', false],
    ['never', false],
  ]);
  expect(notKept[2]?.covers).toBe('no write in "docs", until "Editor" disconnects');
  expect(choicesFor({ ...asked, follows: false }, kept).map(({ answer }) => answer)).not.toContain('always');
});

test('offers no answer for a session if there is none', () => {
  const choices = choicesFor({ ...asked, session: false }, none);
  expect(choices.map(({ answer, covers }) => [answer, covers])).toEqual([
    ['once', 'this write only'],
    ['never', 'not this write'],
  ]);
});

test('a root of the same name at another place is another root', async () => {
  using tree = tempTree(['one/docs/', 'other/docs/']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  await store.add(tree.at('one/docs'));
  expect(isKeepable({ ...asked, places: [tree.at('one/docs')] }, store)).toBe(true);
  expect(isKeepable({ ...asked, places: [tree.at('other/docs')] }, store)).toBe(false);
  expect(isKeepable({ ...asked, places: ['docs'] }, store)).toBe(false);
  expect(isKeepable({ ...asked, places: [] }, store)).toBe(false);
});

test('a host stores the answers about its servers itself', () => {
  const seen = choicesFor({ ...asked, kind: 'exposure', who: 'files', roots: ['a', 'b'] }, none);
  expect(seen.map(({ answer }) => answer)).toEqual(['once', 'session', 'always', 'never']);
  expect(seen[1]?.covers).toBe('"files" sees these 2 roots until it disconnects');
});

test('a directory that a client asks for is open until it disconnects, or not at all', () => {
  const { operation: _operation, ...question } = asked;
  expect(choicesFor({ ...question, kind: 'switch' }, kept)).toEqual([
    {
      answer: 'session',
      covers: '"Editor" works in "/work/docs", until it switches again or disconnects',
      kept: false,
    },
    { answer: 'never', covers: '"Editor" does not work in "/work/docs", unless it asks again', kept: false },
  ]);
  expect(isKeepable({ ...question, kind: 'switch' }, kept)).toBe(false);
});
