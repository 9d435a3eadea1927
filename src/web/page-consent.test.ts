import { expect, test, vi } from 'vitest';
import type { ConsentQuestion } from '../policy/settle.ts';
import { askOnPage } from './page-consent.ts';
import type { Announcement } from './running.ts';
import type { Answer } from './wire.ts';

const question: ConsentQuestion = {
  request: { operation: 'write', path: 'a.txt' },
  root: 'app',
  reason: 'it asks',
  signal: new AbortController().signal,
  caller: 'editor',
};

function announcementWith(hasPage: boolean, ...answers: (Answer | undefined)[]): Announcement {
  const ask = vi.fn<Announcement['ask']>(async () => answers.shift());
  return {
    id: 'x',
    say: () => {},
    ask,
    hasPage: async () => hasPage,
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
] as const)('the answer %s means %s, and a second time is asked %i times', async (answer, allowed, times) => {
  const announcement = announcementWith(true, answer, answer);
  const ask = askOnPage(async () => announcement);
  expect(await ask(question)).toBe(allowed);
  expect(await ask(question)).toBe(allowed);
  expect(announcement.ask).toHaveBeenCalledTimes(times);
});

test('another client, root or operation is asked anew', async () => {
  const announcement = announcementWith(true, 'session', 'session', 'session', 'session');
  const ask = askOnPage(async () => announcement);
  await ask(question);
  await ask({ ...question, caller: 'other' });
  await ask({ ...question, root: 'docs' });
  await ask({ ...question, request: { operation: 'remove', path: 'a.txt' } });
  expect(announcement.ask).toHaveBeenCalledTimes(4);
});

test('without a page the client asks, and without either nobody says yes', async () => {
  const ask = askOnPage(async () => announcementWith(false));
  expect(await ask({ ...question, askClient: () => true })).toBe(true);
  expect(await ask(question)).toBeUndefined();
  expect(await askOnPage(async () => undefined)({ ...question, askClient: () => true })).toBe(true);
});

test('the page is told until when to answer', async () => {
  const announcement = announcementWith(true, 'once');
  const now = (): Date => new Date('2026-01-01T00:00:00.000Z');
  await askOnPage(async () => announcement, { now, patience: 60_000 })(question);
  expect(announcement.ask).toHaveBeenCalledWith(
    expect.objectContaining({ who: 'editor', until: '2026-01-01T00:01:00.000Z', roots: ['app'] }),
    question.signal,
  );
});
