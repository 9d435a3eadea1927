import { expect, test } from 'vitest';
import {
  envelope,
  idOf,
  messageOf,
  methodOf,
  notification,
  request,
  response,
  translatorOptions,
} from '../../../test/support/peers/relay-eras.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import { NewerClientTranslator } from './newer-client.ts';
import type { TranslatorOptions } from './step.ts';

const server = {
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
  info: { name: 's', version: '1' },
  instructions: 'Read first',
};

function create(options: Partial<TranslatorOptions> = {}): NewerClientTranslator {
  return new NewerClientTranslator(server, translatorOptions(options));
}

/** Parameters with an introduction, and more metadata. */
function said(params: Fields = {}, meta: Fields = {}, capabilities: Fields = {}): Fields {
  return { ...params, _meta: { ...fieldsOf(envelope(capabilities)['_meta']), ...meta } };
}

test('server/discover is answered from the handshake', () => {
  const [step] = create().fromClient(request(1, 'server/discover', said()));
  expect(messageOf(step)['result']).toStrictEqual({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    supportedVersions: ['2026-07-28'],
    capabilities: server.capabilities,
    instructions: 'Read first',
    _meta: { 'io.modelcontextprotocol/serverInfo': server.info },
  });
});

test('the introduction is taken off a request; other metadata stays', () => {
  const params = said({ name: 't' }, { progressToken: 1, vendor: 2 });
  expect(create().fromClient(request(1, 'tools/call', params))).toStrictEqual([
    {
      kind: 'send',
      to: 'server',
      message: request(1, 'tools/call', { name: 't', _meta: { progressToken: 1, vendor: 2 } }),
    },
  ]);
});

test.each([
  [undefined, -32_602],
  [envelope({}, '2025-11-25'), -32_022],
])('a request with the parameters %j is refused with %i', (params, code) => {
  const [step] = create().fromClient(request(1, 'tools/list', params));
  expect(step).toMatchObject({ to: 'client', message: { error: { code } } });
});

test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/get', 'x/y'])(
  '%s of the client is unknown',
  (method) => {
    expect(create().fromClient(request(1, method, said()))[0]).toMatchObject({
      to: 'client',
      message: { error: { code: -32_601 } },
    });
  },
);

test.each(['tasks/get', 'tasks/cancel', 'x/y'])('%s of the server is unknown', (method) => {
  expect(create().fromServer(request(1, method))[0]).toMatchObject({
    to: 'server',
    message: { error: { code: -32_601 } },
  });
});

test('a ping of the server is answered by the gateway', () => {
  expect(create().fromServer(request(4, 'ping'))).toMatchObject([
    { to: 'server', message: { id: 4, result: {} } },
  ]);
});

test('roots are answered by the gateway, which also says when they change', () => {
  const translator = create();
  const [asked] = translator.fromServer(request(4, 'roots/list'));
  const question = asked?.kind === 'roots-asked' ? asked.question : '';
  const roots = [{ uri: 'file:///a' }];
  expect(translator.answerRoots(question, roots)).toMatchObject([
    { to: 'server', message: { id: 4, result: { roots } } },
  ]);
  expect(translator.rootsChanged().map(methodOf)).toStrictEqual(['notifications/roots/list_changed']);
});

test('a gateway that does not answer for roots knows no such method', () => {
  const translator = create({ answersRoots: false });
  expect(translator.fromServer(request(4, 'roots/list'))[0]).toMatchObject({ message: { error: {} } });
  expect(translator.rootsChanged()).toStrictEqual([]);
});

test('a client that declares roots is asked for them once, before its first call', () => {
  let wanted = true;
  const translator = create({ wantsClientRoots: () => wanted });
  const first = request(1, 'tools/call', said({ name: 't' }, {}, { roots: {} }));
  const [asked] = translator.fromClient(first);
  const result = fieldsOf(messageOf(asked)['result']);
  const [key = ''] = Object.keys(fieldsOf(result['inputRequests']));
  wanted = false;
  const answer = { roots: [{ uri: 'file:///a' }] };
  const params = { ...first.params, requestState: result['requestState'], inputResponses: { [key]: answer } };
  expect(translator.fromClient(request(2, 'tools/call', params))).toStrictEqual([
    { kind: 'roots-said', result: answer },
    { kind: 'send', to: 'server', message: request(2, 'tools/call', { name: 't' }) },
  ]);
});

test('a level of the log is set once, to the most verbose that a request asked for', () => {
  const translator = create();
  const level = (name: string): Fields => said({}, { 'io.modelcontextprotocol/logLevel': name });
  const methods = ['warning', 'error', 'debug', 'debug', 'loud'].map((name, id) =>
    translator.fromClient(request(id, 'tools/list', level(name))).map(methodOf),
  );
  expect(methods).toStrictEqual([
    ['logging/setLevel', 'tools/list'],
    ['tools/list'],
    ['logging/setLevel', 'tools/list'],
    ['tools/list'],
    ['tools/list'],
  ]);
});

test('a message of the log passes while a request wants its level', () => {
  const translator = create();
  const log = (level: string): readonly unknown[] =>
    translator.fromServer(notification('notifications/message', { level, data: 1 }));
  expect(log('error')).toStrictEqual([]);
  translator.fromClient(
    request(1, 'tools/list', said({}, { 'io.modelcontextprotocol/logLevel': 'warning' })),
  );
  expect(log('info')).toStrictEqual([]);
  expect(log('error')).toMatchObject([{ kind: 'pass', to: 'client' }]);
  translator.fromServer(response(1, {}));
  expect(log('error')).toStrictEqual([]);
});

test('progress passes while its request is open', () => {
  const translator = create();
  const progress = notification('notifications/progress', { progressToken: 'p', progress: 1 });
  translator.fromClient(request(1, 'tools/list', said({}, { progressToken: 'p' })));
  expect(translator.fromServer(progress)).toMatchObject([{ kind: 'pass', to: 'client' }]);
  translator.fromServer(response(1, {}));
  expect(translator.fromServer(progress)).toMatchObject([{ kind: 'record' }]);
});

test('a call that asks is parked, and a forged state is refused', () => {
  const translator = create();
  translator.fromClient(request(1, 'tools/call', said({ name: 't' }, {}, { elicitation: {} })));
  const [asked] = translator.fromServer(request(0, 'elicitation/create', { message: 'Sure?' }));
  expect(messageOf(asked)).toMatchObject({ id: 1, result: { resultType: 'input_required' } });
  const requestState = `${String(fieldsOf(messageOf(asked)['result'])['requestState'])}x`;
  const forged = request(2, 'tools/call', said({ name: 't', requestState }));
  expect(translator.fromClient(forged)).toMatchObject([
    { to: 'client', message: { id: 2, error: { code: -32_602 } } },
  ]);
});

test('a subscription is kept by the gateway, and ends when the client cancels it', () => {
  const translator = create();
  const params = said({ notifications: { resourceSubscriptions: ['a:b'] } });
  const steps = translator.fromClient(request('l', 'subscriptions/listen', params));
  expect(steps.map(methodOf)).toStrictEqual([
    'notifications/subscriptions/acknowledged',
    'resources/subscribe',
  ]);
  expect(translator.fromServer(response(idOf(steps[1]), {}))).toStrictEqual([]);
  const cancelled = translator.fromClient(notification('notifications/cancelled', { requestId: 'l' }));
  expect(cancelled.map(methodOf)).toStrictEqual(['resources/unsubscribe']);
  const error = { code: -1, message: 'no' };
  expect(translator.fromServer({ jsonrpc: '2.0', id: idOf(cancelled[0]), error })).toMatchObject([
    { kind: 'record', record: { what: 'refused', method: 'resources/unsubscribe' } },
  ]);
});

test.each([
  notification('notifications/elicitation/complete'),
  notification('notifications/tasks/status'),
  notification('x/y'),
  response('late', {}),
])('%j of the server is dropped and recorded', (message) => {
  expect(create().fromServer(message)).toMatchObject([{ kind: 'record', record: { what: 'dropped' } }]);
});

test.each([notification('notifications/progress'), notification('x/y'), response(1, {})])(
  '%j of the client is dropped and recorded',
  (message) => {
    expect(create().fromClient(message)).toMatchObject([{ kind: 'record', record: { what: 'dropped' } }]);
  },
);

test('a new process gets the level and the subscriptions again', () => {
  const translator = create();
  translator.fromClient(request(1, 'tools/list', said({}, { 'io.modelcontextprotocol/logLevel': 'info' })));
  const params = said({ notifications: { resourceSubscriptions: ['a:b'] } });
  translator.fromClient(request('l', 'subscriptions/listen', params));
  expect(translator.resume().map(methodOf)).toStrictEqual(['logging/setLevel', 'resources/subscribe']);
  expect(translator.fromServer(response(1, {}))).toMatchObject([{ kind: 'record' }]);
});
