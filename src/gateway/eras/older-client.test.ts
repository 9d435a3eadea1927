import { expect, test } from 'vitest';
import {
  idOf,
  messageOf,
  methodOf,
  notification,
  request,
  response,
  translatorOptions,
} from '../../../test/support/peers/relay-eras.ts';
import type { Fields } from '../../base/fields.ts';
import { metaNames, readEnvelope } from './envelope.ts';
import { OlderClientTranslator } from './older-client.ts';
import type { TranslatorOptions } from './step.ts';

const server = {
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {}, tasks: {} },
  info: { name: 's', version: '1' },
  instructions: undefined,
};
const declared = { roots: { listChanged: true }, elicitation: { form: {}, url: {} }, tasks: {} };

function create(
  capabilities: Fields = declared,
  options: Partial<TranslatorOptions> = {},
): OlderClientTranslator {
  const client = { handshake: true, capabilities, info: { name: 'c', version: '1' } };
  return new OlderClientTranslator(client, server, translatorOptions(options));
}

test('initialize is answered from the discovery, without tasks', () => {
  const [step] = create().fromClient(request(1, 'initialize', { protocolVersion: '2025-06-18' }));
  const { tasks: _tasks, ...capabilities } = server.capabilities;
  expect(messageOf(step)['result']).toStrictEqual({
    protocolVersion: '2025-06-18',
    capabilities,
    serverInfo: server.info,
  });
});

test('the server hears of capabilities that work through the gateway, and of roots if it answers for them', () => {
  const [step] = create().fromClient(request(1, 'tools/list'));
  expect(readEnvelope(messageOf(step)['params'])?.capabilities).toStrictEqual({
    elicitation: { form: {} },
    roots: {},
  });
  const [without] = create(declared, { answersRoots: false }).fromClient(request(1, 'tools/list'));
  expect(readEnvelope(messageOf(without)['params'])?.capabilities).not.toHaveProperty('roots');
});

test.each(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])(
  '%s is answered by the gateway',
  (method) => {
    expect(create().fromClient(request(5, method, { uri: 'a:b', level: 'info' }))).toMatchObject([
      { to: 'client', message: { id: 5, result: {} } },
    ]);
  },
);

test('a level of the log is said with each request that follows', () => {
  const translator = create();
  translator.fromClient(request(1, 'logging/setLevel', { level: 'debug' }));
  const [step] = translator.fromClient(request(2, 'tools/call', { name: 't' }));
  expect(readEnvelope(messageOf(step)['params'])?.logLevel).toBe('debug');
});

test('subscribing renews the subscription at the server', () => {
  const translator = create();
  expect(translator.fromClient(notification('notifications/initialized')).map(methodOf)).toStrictEqual([
    'subscriptions/listen',
  ]);
  const steps = translator.fromClient(request(1, 'resources/subscribe', { uri: 'a:b' }));
  expect(steps.map(methodOf)).toStrictEqual(['response', 'subscriptions/listen']);
  expect(translator.fromServer(response(idOf(steps[1]), {}))).toStrictEqual([]);
});

test.each(['tasks/get', 'tasks/list', 'server/discover', 'x/y', 'constructor'])('%s is unknown', (method) => {
  expect(create().fromClient(request(1, method))).toMatchObject([
    { to: 'client', message: { error: { code: -32_601 } } },
    { kind: 'record' },
  ]);
});

test('a call as a task is made without one', () => {
  const [step] = create().fromClient(request(1, 'tools/call', { name: 't', task: { ttl: 1 } }));
  expect(messageOf(step)['params']).not.toHaveProperty('task');
});

test('changes lose the tag of the subscription, and messages without one pass', () => {
  const translator = create();
  const tagged = { _meta: { [metaNames.subscription]: 'rw-1', a: 1 }, uri: 'a:b' };
  expect(translator.fromServer(notification('notifications/resources/updated', tagged))).toStrictEqual([
    {
      kind: 'send',
      to: 'client',
      message: notification('notifications/resources/updated', { uri: 'a:b', _meta: { a: 1 } }),
    },
  ]);
  const plain = notification('notifications/message', { level: 'info', data: 1 });
  expect(translator.fromServer(plain)).toStrictEqual([{ kind: 'pass', to: 'client', message: plain }]);
});

test('progress passes while its call is open', () => {
  const translator = create();
  const progress = notification('notifications/progress', { progressToken: 'p', progress: 1 });
  expect(translator.fromServer(progress)).toMatchObject([{ kind: 'record' }]);
  translator.fromClient(request(1, 'tools/call', { _meta: { progressToken: 'p' } }));
  expect(translator.fromServer(progress)).toMatchObject([{ kind: 'pass', to: 'client' }]);
});

test('a change of the client’s roots is for the gateway alone', () => {
  const translator = create();
  const steps = translator.fromClient(notification('notifications/roots/list_changed'));
  expect(steps).toStrictEqual([{ kind: 'roots-changed' }]);
  expect(translator.rootsChanged()).toStrictEqual([]);
});

test.each([
  notification('notifications/progress', { progressToken: 1 }),
  notification('notifications/tasks/status'),
  notification('x/y'),
  response('late', {}),
])('%j of the client is dropped and recorded', (message) => {
  expect(create().fromClient(message)).toMatchObject([{ kind: 'record', record: { what: 'dropped' } }]);
});

test.each([
  notification('notifications/cancelled', { requestId: 9 }),
  notification('notifications/elicitation/complete'),
  notification('x/y'),
  response('late', {}),
])('%j of the server is dropped and recorded', (message) => {
  expect(create().fromServer(message)).toMatchObject([{ kind: 'record', record: { what: 'dropped' } }]);
});

test('a request of a server of 2026-07-28 breaks its protocol, and is refused', () => {
  expect(create().fromServer(request(1, 'roots/list'))).toMatchObject([
    { to: 'server', message: { error: { code: -32_601 } } },
    { kind: 'record' },
  ]);
});

test('roots in a round are those of the gateway', () => {
  const translator = create();
  translator.fromClient(request(1, 'tools/call', { name: 't' }));
  const inputRequests = { r: { method: 'roots/list' } };
  const [asked] = translator.fromServer(response(1, { resultType: 'input_required', inputRequests }));
  const question = asked?.kind === 'roots-asked' ? asked.question : '';
  const roots = [{ uri: 'file:///a' }];
  expect(translator.answerRoots(question, roots)).toMatchObject([
    { to: 'server', message: { params: { inputResponses: { r: { roots } } } } },
  ]);
  expect(translator.answerRoots(question, roots)).toStrictEqual([]);
});

test('the client cancels the leg under way', () => {
  const translator = create();
  translator.fromClient(request(1, 'tools/call', { name: 't' }));
  const steps = translator.fromClient(notification('notifications/cancelled', { requestId: 1 }));
  expect(steps).toMatchObject([{ to: 'server', message: { params: { requestId: 1 } } }]);
});

test('a new process is listened to again', () => {
  const translator = create();
  translator.fromClient(notification('notifications/initialized'));
  expect(translator.resume().map(methodOf)).toStrictEqual(['subscriptions/listen']);
});
