import { readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openOwnDirectory } from '../config/own-directory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import {
  createPageSessions,
  type PageEntry,
  forgetSite,
  isSameSecret,
  keepSite,
  type PageSessions,
  readKeptSite,
  sweepSites,
} from './page-sessions.ts';

function enter(sessions: PageSessions, cookie?: string): PageEntry {
  const entered = sessions.redeem(sessions.newToken(), cookie);
  if (entered === undefined) throw new Error('the link does not work');
  return entered;
}

test('a link opens one window, once', () => {
  const sessions = createPageSessions();
  const token = sessions.newToken();
  const { cookie, proof } = sessions.redeem(token) ?? {};
  expect([cookie, proof]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
  expect(sessions.proves(cookie, proof)).toBe(true);
  expect(sessions.wasUsed(token)).toBe(true);
  expect(sessions.redeem(token)).toBeUndefined();
});

test('a guess opens nothing', () => {
  const sessions = createPageSessions();
  sessions.newToken();
  expect(sessions.redeem('guess')).toBeUndefined();
  expect([sessions.wasUsed('guess'), sessions.wasUsed(sessions.newToken())]).toEqual([false, false]);
  expect([sessions.knows('guess'), sessions.knows(undefined)]).toEqual([false, false]);
});

test('a cookie alone proves nothing, and neither does its digest', () => {
  const sessions = createPageSessions();
  const { cookie, proof } = enter(sessions);
  expect(sessions.knows(cookie)).toBe(true);
  expect([undefined, '', cookie, `${proof}x`].map((given) => sessions.proves(cookie, given))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(sessions.proves(undefined, proof)).toBe(false);
});

test('a second link in the same browser leaves the first window as it is', () => {
  const sessions = createPageSessions();
  const first = enter(sessions);
  const second = enter(sessions, first.cookie);
  expect(second.cookie).toBe(first.cookie);
  expect(second.proof).not.toBe(first.proof);
  expect([first, second].every(({ cookie, proof }) => sessions.proves(cookie, proof))).toBe(true);
  const foreign = enter(sessions, 'made up by a visitor');
  expect(foreign.cookie).not.toBe('made up by a visitor');
  expect(sessions.proves(foreign.cookie, first.proof)).toBe(false);
});

test('the next server knows the sessions by digests, which open nothing', () => {
  const before = createPageSessions();
  const { cookie, proof } = enter(before);
  const after = createPageSessions(before.kept());
  expect(after.proves(cookie, proof)).toBe(true);
  const [[keptCookie, [keptProof]] = ['', []]] = before.kept();
  expect([after.knows(keptCookie), after.proves(cookie, keptProof)]).toEqual([false, false]);
});

test('the oldest links and sessions make room', () => {
  const sessions = createPageSessions();
  const first = sessions.newToken();
  const cookies = Array.from({ length: 70 }, () => enter(sessions).cookie);
  expect([sessions.knows(cookies[0]), sessions.knows(cookies[69])]).toEqual([false, true]);
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

const site = { prefix: 'p'.repeat(43), sessions: [['cookie', ['proof']]] } as const;
const halfADay = 12 * 60 * 60_000;

test('sessions of a port are kept for half a day, readable by the owner only', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  await keepSite(state, 80, site);
  expect(await readKeptSite(state, 80)).toEqual(site);
  expect(await readKeptSite(state, 81)).toBeUndefined();
  expect(await readKeptSite(state, 80, Date.now() + halfADay + 60_000)).toBeUndefined();
  expect(statSync(tree.at('state/port-80.sessions')).mode & 0o077).toBe(0);
  await forgetSite(state, 80);
  expect(readdirSync(tree.at('state'))).toEqual([]);
});

test('ignores unreadable sessions', async () => {
  using tree = tempTree([
    'port-1.sessions = {',
    'port-2.sessions = {"until":9e15,"prefix":"short","sessions":[]}',
  ]);
  await using state = await openOwnDirectory(tree.path);
  expect([await readKeptSite(state, 1), await readKeptSite(state, 2)]).toEqual([undefined, undefined]);
});

test('removes expired sessions, and nothing else', async () => {
  using tree = tempTree(['port-1.sessions = {', 'port-x.sessions = {', 'other.json = {}']);
  await using state = await openOwnDirectory(tree.path);
  await keepSite(state, 80, site);
  await sweepSites(state);
  expect(readdirSync(tree.path).toSorted()).toEqual(['other.json', 'port-80.sessions', 'port-x.sessions']);
  await sweepSites(state, Date.now() + halfADay + 60_000);
  expect(readdirSync(tree.path).toSorted()).toEqual(['other.json', 'port-x.sessions']);
});
