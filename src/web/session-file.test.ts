import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openOwnDirectory } from '../config/open-own-directory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { readDigests, writeDigests } from './session-file.ts';

test('sessions of a port are kept for half a day, for their owner alone', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  await writeDigests(state, 80, ['a', 'b']);
  expect(await readDigests(state, 80)).toEqual(['a', 'b']);
  expect(await readDigests(state, 81)).toEqual([]);
  expect(await readDigests(state, 80, Date.now() + 13 * 60 * 60_000)).toEqual([]);
  expect(statSync(tree.at('state/port-80.sessions')).mode & 0o077).toBe(0);
});

test('what cannot be read is no session', async () => {
  using tree = tempTree(['port-1.sessions = {', 'port-2.sessions = {"until":9e15,"digests":[1,"a"]}']);
  await using state = await openOwnDirectory(tree.path);
  expect([await readDigests(state, 1), await readDigests(state, 2)]).toEqual([[], ['a']]);
});
