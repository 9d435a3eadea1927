import { expect, test } from 'vitest';
import { idOf, messageOf, translatorOptions } from '../../../test/support/peers/relay-eras.ts';
import type { Fields } from '../../base/fields.ts';
import { ClientListening } from './client-listening.ts';
import { metaNames } from './envelope.ts';

const lists = {
  tools: { listChanged: true },
  prompts: {},
  resources: { listChanged: true, subscribe: true },
};

function createListening(capabilities: Fields = lists): ClientListening {
  const { newId } = translatorOptions();
  return new ClientListening({
    newId,
    introduce: () => ({ capabilities: {}, info: undefined }),
    capabilities,
  });
}

const acknowledged = (id: unknown): Fields => ({ _meta: { [metaNames.subscription]: id } });

test('it listens for the lists that the server may change, once the client is ready', () => {
  const listening = createListening();
  expect(listening.subscribe('file:///a')).toStrictEqual([]);
  const [step] = listening.begin();
  expect(messageOf(step)).toMatchObject({
    method: 'subscriptions/listen',
    params: {
      notifications: {
        toolsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['file:///a'],
      },
    },
  });
});

test('a server that changes nothing is not asked', () => {
  expect(createListening({ tools: {} }).begin()).toStrictEqual([]);
});

test('the old subscription ends when the new one is acknowledged, so that no change is missed', () => {
  const listening = createListening();
  const [first] = listening.begin();
  const [second] = listening.subscribe('file:///a');
  expect(listening.acknowledge(acknowledged(idOf(first)))).toStrictEqual([]);
  expect(listening.acknowledge(acknowledged(idOf(second)))).toMatchObject([
    { to: 'server', message: { method: 'notifications/cancelled', params: { requestId: idOf(first) } } },
  ]);
  expect(listening.subscribe('file:///a')).toStrictEqual([]);
});

test('without anything left to listen for, the subscription ends', () => {
  const listening = createListening({ resources: { subscribe: true } });
  listening.begin();
  const [step] = listening.subscribe('file:///a');
  expect(listening.unsubscribe('file:///b')).toStrictEqual([]);
  expect(listening.unsubscribe('file:///a')).toMatchObject([
    { message: { params: { requestId: idOf(step) } } },
  ]);
});

test('the end of a subscription is recognised once', () => {
  const listening = createListening();
  const [step] = listening.begin();
  expect(listening.end(idOf(step))).toBe(true);
  expect(listening.end(idOf(step))).toBe(false);
});

test('a new process is asked for the same, and nothing of the old one is cancelled there', () => {
  const listening = createListening();
  listening.begin();
  listening.subscribe('file:///a');
  const steps = listening.resume();
  expect(steps).toMatchObject([
    { message: { params: { notifications: { resourceSubscriptions: ['file:///a'] } } } },
  ]);
  expect(listening.acknowledge(acknowledged(idOf(steps[0])))).toStrictEqual([]);
});
