import { expect, test } from 'vitest';
import { parseRoots } from '../path/root.ts';
import type { StoredRoot, StoreSnapshot } from '../client/store/stored-root.ts';
import { createStoreSpeaker } from './store-speaker.ts';

const usual = { policy: { preset: 'write-in-project' }, limited: false, server: 'rootward' } as const;

function snapshot(revision: number, ...roots: readonly Partial<StoredRoot>[]): StoreSnapshot {
  const stored = roots.map((more, index) => {
    const [root] = parseRoots([`file:///srv/r${index}`]).roots;
    if (root === undefined) throw new Error('there is one');
    return Object.assign({ permissions: {}, servers: {}, grants: [] }, root, more);
  });
  return { revision, roots: stored, servers: {} };
}

test('the same snapshot is the same word, and another one has another revision', () => {
  const speaker = createStoreSpeaker(usual);
  const one = snapshot(1, {});
  const word = speaker.say(one);
  expect(speaker.say(one)).toBe(word);
  expect(speaker.say(snapshot(2, {}))?.revision).toBeGreaterThan(word?.revision ?? Infinity);
});

test('after a change of the disk the same is said with another revision', () => {
  const speaker = createStoreSpeaker(usual);
  const one = snapshot(1, {});
  const word = speaker.say(one);
  speaker.startle();
  const again = speaker.say(one);
  expect(again?.revision).toBeGreaterThan(word?.revision ?? Infinity);
  expect(again).toMatchObject({ ceiling: word?.ceiling, refused: [] });
});

test('nothing is said before there was a root, and afterwards that there is none', () => {
  const speaker = createStoreSpeaker(usual);
  expect(speaker.say(snapshot(0))).toBeUndefined();
  expect(speaker.operations()).toEqual([]);
  speaker.startle();
  expect(speaker.say(snapshot(0))).toBeUndefined();
  speaker.say(snapshot(1, {}));
  expect(speaker.say(snapshot(2))).toMatchObject({ ceiling: [], refused: [] });
});

test('a root that a person keeps from this server is refused, and not only left out', () => {
  const never = { server: 'rootward', answer: 'never', date: '2026-01-01' } as const;
  const word = createStoreSpeaker(usual).say(snapshot(1, { grants: [never] }, {}));
  expect(word?.ceiling.map(({ path }) => path)).toEqual(['/srv/r1']);
  expect(word?.refused?.map(({ path }) => path)).toEqual(['/srv/r0']);
});

test('what may be done somewhere is known once it was said', () => {
  const speaker = createStoreSpeaker(usual);
  speaker.say(snapshot(1, { permissions: { allow: ['execute'] } }));
  expect(speaker.operations()).toContain('execute');
});
