import { expect, test } from 'vitest';
import { createPageSessions, isSameSecret } from './sessions.ts';

test('a link opens one session, once', () => {
  const sessions = createPageSessions();
  const token = sessions.newToken();
  const cookie = sessions.redeem(token);
  expect(sessions.proofFor(cookie)).toMatch(/^[\w-]{43}$/);
  expect(sessions.redeem(token)).toBeUndefined();
});

test('a guess opens nothing', () => {
  const sessions = createPageSessions();
  sessions.newToken();
  expect(sessions.redeem('guess')).toBeUndefined();
  expect(sessions.proofFor('guess')).toBeUndefined();
  expect(sessions.proofFor(undefined)).toBeUndefined();
});

test('each session has a proof of its own', () => {
  const sessions = createPageSessions();
  const [one, other] = [sessions.newToken(), sessions.newToken()].map((token) => sessions.redeem(token));
  expect(sessions.proofFor(one)).not.toBe(sessions.proofFor(other));
});

test('a server that takes over knows the sessions by digests, which are no cookies', () => {
  const before = createPageSessions();
  const cookie = before.redeem(before.newToken());
  const after = createPageSessions(before.digests());
  expect(after.proofFor(cookie)).toBe(before.proofFor(cookie));
  expect(after.proofFor(before.digests()[0])).toBeUndefined();
});

test('the oldest of too many links and sessions end', () => {
  const sessions = createPageSessions();
  const first = sessions.newToken();
  const cookies = Array.from({ length: 70 }, () => sessions.redeem(sessions.newToken()));
  expect(sessions.proofFor(cookies[0])).toBeUndefined();
  expect(sessions.proofFor(cookies[69])).toBeDefined();
  expect(sessions.redeem(first)).toBeDefined();
  const old = sessions.newToken();
  for (let more = 0; more < 16; more += 1) sessions.newToken();
  expect(sessions.redeem(old)).toBeUndefined();
});

test('secrets are compared whole', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true);
  expect(isSameSecret('abc', 'abd')).toBe(false);
  expect(isSameSecret('abc', 'ab')).toBe(false);
});
