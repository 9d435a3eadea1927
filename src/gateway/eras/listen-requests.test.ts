import { expect, test } from 'vitest';
import { messageOf, notification, request } from '../../../test/support/peers/relay-eras.ts';
import type { Fields } from '../../base/fields.ts';
import { metaNames } from './envelope.ts';
import { ListenRequests } from './listen-requests.ts';

const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } };

function createListens(): ListenRequests {
  let count = 0;
  return new ListenRequests((method) => `${method}-${(count += 1)}`, capabilities);
}

function listen(id: string, notifications: Fields): ReturnType<typeof request> {
  return request(id, 'subscriptions/listen', { notifications });
}

const tag = (id: string): Fields => ({ _meta: { [metaNames.subscription]: id } });

test('the part that the server offers is acknowledged, and resources are subscribed to', () => {
  const filter = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:b', 1] };
  const steps = createListens().open(listen('l1', filter));
  expect(steps.map(messageOf)).toMatchObject([
    {
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] }, ...tag('l1') },
    },
    { method: 'resources/subscribe', params: { uri: 'a:b' } },
  ]);
  expect(JSON.stringify(steps)).not.toContain('prompts');
});

test('a subscription to nothing ends at once', () => {
  expect(createListens().open(listen('l1', { promptsListChanged: true }))).toMatchObject([
    { message: { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } } },
    { message: { id: 'l1', result: { resultType: 'complete', ...tag('l1') } } },
  ]);
});

test('a change is sent once for each subscription that wants it', () => {
  const listens = createListens();
  listens.open(listen('l1', { toolsListChanged: true }));
  listens.open(listen('l2', { toolsListChanged: true, resourceSubscriptions: ['a:b'] }));
  const changed = listens.changed(notification('notifications/tools/list_changed'));
  expect(changed.map(messageOf)).toMatchObject([{ params: tag('l1') }, { params: tag('l2') }]);
  const updated = notification('notifications/resources/updated', { uri: 'a:b', _meta: { a: 1 } });
  expect(listens.changed(updated).map(messageOf)).toMatchObject([
    { params: { uri: 'a:b', _meta: { a: 1, [metaNames.subscription]: 'l2' } } },
  ]);
  expect(listens.changed(notification('notifications/resources/updated', { uri: 'c:d' }))).toStrictEqual([]);
  expect(listens.changed(notification('notifications/prompts/list_changed'))).toStrictEqual([]);
});

test('a resource is subscribed to once, and left with its last subscription', () => {
  const listens = createListens();
  listens.open(listen('l1', { resourceSubscriptions: ['a:b'] }));
  expect(listens.open(listen('l2', { resourceSubscriptions: ['a:b'] }))).toHaveLength(1);
  expect(listens.cancel('l1')).toStrictEqual([]);
  expect(listens.cancel('l2')).toMatchObject([{ message: { method: 'resources/unsubscribe' } }]);
  expect(listens.cancel('l2')).toBeUndefined();
});

test('a new process is subscribed to again', () => {
  const listens = createListens();
  listens.open(listen('l1', { resourceSubscriptions: ['a:b', 'c:d'] }));
  expect(listens.resume().map(messageOf)).toMatchObject([
    { method: 'resources/subscribe', params: { uri: 'a:b' } },
    { method: 'resources/subscribe', params: { uri: 'c:d' } },
  ]);
});

test('a client has at most 256 subscriptions', () => {
  const listens = createListens();
  for (let id = 0; id < 256; id += 1) listens.open(listen(`l${id}`, { toolsListChanged: true }));
  expect(listens.open(listen('one more', { toolsListChanged: true }))).toMatchObject([
    { message: { id: 'one more', error: { code: -32_603 } } },
  ]);
});
