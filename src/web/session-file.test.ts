import { readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openOwnDirectory } from '../config/open-own-directory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { forgetSite, keepSite, readKeptSite, sweepSites } from './session-file.ts';

const site = { prefix: 'p'.repeat(43), sessions: [['cookie', ['proof']]] } as const;
const halfADay = 12 * 60 * 60_000;

test('sessions of a port are kept for half a day, for their owner alone', async () => {
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

test('what cannot be read is no session', async () => {
  using tree = tempTree([
    'port-1.sessions = {',
    'port-2.sessions = {"until":9e15,"prefix":"short","sessions":[]}',
  ]);
  await using state = await openOwnDirectory(tree.path);
  expect([await readKeptSite(state, 1), await readKeptSite(state, 2)]).toEqual([undefined, undefined]);
});

test('what is too old is swept away, and nothing else', async () => {
  using tree = tempTree(['port-1.sessions = {', 'port-x.sessions = {', 'other.json = {}']);
  await using state = await openOwnDirectory(tree.path);
  await keepSite(state, 80, site);
  await sweepSites(state);
  expect(readdirSync(tree.path).toSorted()).toEqual(['other.json', 'port-80.sessions', 'port-x.sessions']);
  await sweepSites(state, Date.now() + halfADay + 60_000);
  expect(readdirSync(tree.path).toSorted()).toEqual(['other.json', 'port-x.sessions']);
});
