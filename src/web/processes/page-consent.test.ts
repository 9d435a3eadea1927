import { describe, expect, test, vi } from 'vitest';
import type { ConsentQuestion } from '../../policy/settle.ts';
import type { ConsentChoice } from '../wire/wire.ts';
import type { PageReply } from './answer-question.ts';
import { askOnPage } from './page-consent.ts';
import type { ProcessAnnouncement } from './running.ts';

const session = {};
const question: ConsentQuestion = {
  request: { operation: 'write', path: 'a.txt' },
  root: 'app',
  place: '/work/app',
  at: { relative: 'a.txt', links: [], whole: false },
  reason: 'it asks',
  signal: new AbortController().signal,
  caller: 'editor',
  session,
};

type Page = 'visible' | 'hidden' | undefined;

function announcementWith(
  page: Page,
  ...answers: (ConsentChoice | PageReply | undefined)[]
): ProcessAnnouncement {
  const ask = vi.fn<ProcessAnnouncement['ask']>(async () => {
    const answer = answers.shift();
    return typeof answer === 'string' ? { answer, kept: false } : answer;
  });
  return {
    id: 'x',
    update: () => {},
    ask,
    findPage: async () => page,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

test.each([
  ['once', true, 2],
  ['session', true, 1],
  ['always', true, 1],
  ['never', false, 1],
  [undefined, false, 2],
] as const)('the answer %s means %s, and %i of two calls ask', async (answer, allowed, times) => {
  const announcement = announcementWith('visible', answer, answer);
  const { ask } = askOnPage({ announced: async () => announcement });
  expect(await ask(question)).toBe(allowed);
  expect(await ask(question)).toBe(allowed);
  expect(announcement.ask).toHaveBeenCalledTimes(times);
});

test('does not remember a stored answer, which can be revoked', async () => {
  const reply = { answer: 'always', kept: true } as const;
  const announcement = announcementWith('visible', reply, reply);
  const { ask } = askOnPage({ announced: async () => announcement });
  await ask(question);
  await ask(question);
  expect(announcement.ask).toHaveBeenCalledTimes(2);
});

test.each([
  ['connection', { session: {} }],
  ['session over HTTP', { session: 's-1' }],
  ['root of the same name elsewhere', { place: '/elsewhere/app' }],
  ['operation', { request: { operation: 'remove', path: 'a.txt' } }],
] as const)('asks again for another %s', async (_, other) => {
  const announcement = announcementWith('visible', 'session', 'session', 'session');
  const { ask } = askOnPage({ announced: async () => announcement });
  await ask(question);
  await ask({ ...question, ...other });
  expect(announcement.ask).toHaveBeenCalledTimes(2);
  await ask(question);
  expect(announcement.ask).toHaveBeenCalledTimes(2);
});

test.each([{}, 'over HTTP'])('an answer for the session ends with it', async (own) => {
  const announcement = announcementWith('visible', 'session', 'session');
  const { ask, forget } = askOnPage({ announced: async () => announcement });
  await ask({ ...question, session: own });
  forget({});
  await ask({ ...question, session: own });
  expect(announcement.ask).toHaveBeenCalledTimes(1);
  forget(own);
  await ask({ ...question, session: own });
  expect(announcement.ask).toHaveBeenCalledTimes(2);
});

test('without a session every call asks again', async () => {
  const { session: _none, ...alone } = question;
  const announcement = announcementWith('visible', 'session', 'session');
  const { ask } = askOnPage({ announced: async () => announcement });
  await ask(alone);
  await ask(alone);
  expect(announcement.ask).toHaveBeenCalledTimes(2);
});

test('without a page the client asks, and without either it says that nobody was asked', async () => {
  const { ask } = askOnPage({ announced: async () => announcementWith(undefined) });
  expect(await ask({ ...question, askClient: () => true })).toBe(true);
  expect(await ask(question)).toBe('not-asked');
  const unknown = askOnPage({ announced: async () => undefined });
  expect(await unknown.ask({ ...question, askClient: () => true })).toBe(true);
});

test('a hidden page asks only if the client cannot', async () => {
  const hidden = announcementWith('hidden', 'once');
  const { ask } = askOnPage({ announced: async () => hidden });
  expect(await ask({ ...question, askClient: () => true })).toBe(true);
  expect(hidden.ask).not.toHaveBeenCalled();
  expect(await ask(question)).toBe(true);
  expect(hidden.ask).toHaveBeenCalledTimes(1);
});

test('the page gets the client, the place, the scope of the answer, and the deadline', async () => {
  const announcement = announcementWith('visible', 'once');
  const now = (): Date => new Date('2026-01-01T00:00:00.000Z');
  const { ask } = askOnPage({
    announced: async () => announcement,
    now,
    patience: 60_000,
    server: 'files',
    follows: (operation) => operation === 'write',
    idOf: (given) => (given === session ? '7' : undefined),
  });
  await ask(question);
  expect(announcement.ask).toHaveBeenCalledWith(
    {
      kind: 'access',
      who: 'editor',
      operation: 'write',
      path: 'a.txt',
      roots: ['app'],
      places: ['/work/app'],
      server: 'files',
      connection: '7',
      session: true,
      follows: true,
      reason: 'it asks',
      until: '2026-01-01T00:01:00.000Z',
    },
    question.signal,
  );
});

describe('another directory', () => {
  const wanted = {
    project: '/work/link',
    place: '/work/app',
    allowed: 'read, list',
    caller: 'editor',
    signal: new AbortController().signal,
  };

  test.each([
    ['session', true],
    ['never', false],
    [undefined, false],
  ] as const)('is asked for on a page: %s means %s', async (answer, agreed) => {
    const announcement = announcementWith('hidden', answer);
    const { switching } = askOnPage({
      announced: async () => announcement,
      announcedNow: () => announcement,
    });
    expect(await switching.canAsk()).toBe(true);
    expect(await switching.ask(wanted)).toBe(agreed);
    const asked = { kind: 'switch', path: '/work/link', real: '/work/app', places: ['/work/app'] };
    expect(announcement.ask).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(asked), wanted.signal);
  });

  test('is not asked for where no page is open, or the server is not announced', async () => {
    const announcement = announcementWith(undefined, 'session');
    for (const open of [announcement, undefined]) {
      const { switching } = askOnPage({ announced: async () => open, announcedNow: () => open });
      expect([await switching.canAsk(), await switching.ask(wanted)]).toEqual([false, undefined]);
    }
    expect(announcement.ask).not.toHaveBeenCalled();
  });
});
