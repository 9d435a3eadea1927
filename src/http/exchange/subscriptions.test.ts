import { expect, test } from 'vitest';
import { subscribedKinds } from './subscriptions.ts';

test.each<[string, object | undefined, readonly string[] | undefined]>([
  ['nothing', undefined, undefined],
  ['no notifications', {}, undefined],
  ['a list', { notifications: ['toolsListChanged'] }, undefined],
  ['none', { notifications: {} }, []],
  ['what can be had', { notifications: { toolsListChanged: true } }, ['toolsListChanged']],
  ['what cannot be had', { notifications: { promptsListChanged: true } }, []],
  ['a no', { notifications: { toolsListChanged: false } }, []],
  ['a word', { notifications: { toolsListChanged: 'yes' } }, []],
])('who asks for %s', (_what, params, expected) => {
  const kinds = subscribedKinds(params as never, ['toolsListChanged']);
  expect(kinds && [...kinds]).toEqual(expected);
});
