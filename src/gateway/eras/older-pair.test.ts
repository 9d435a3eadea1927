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
import { methods } from './methods.ts';
import { OlderPairTranslator } from './older-pair.ts';

function create(answersRoots = true): OlderPairTranslator {
  return new OlderPairTranslator(translatorOptions({ answersRoots }));
}

const ownMatter = new Set(['initialize', 'roots/list', 'notifications/roots/list_changed']);

test('every method passes as it is, but those about roots', () => {
  const translator = create();
  for (const { method, from, kind } of methods) {
    if (ownMatter.has(method)) continue;
    const message = kind === 'request' ? request(1, method) : notification(method);
    const [to, steps] =
      from === 'client'
        ? (['server', translator.fromClient(message)] as const)
        : (['client', translator.fromServer(message)] as const);
    expect(steps).toStrictEqual([{ kind: 'pass', to, message }]);
  }
  const answer = response('x', { unknown: 1 });
  expect(translator.fromServer(answer)).toStrictEqual([{ kind: 'pass', to: 'client', message: answer }]);
  expect(translator.fromClient(answer)).toStrictEqual([{ kind: 'pass', to: 'server', message: answer }]);
});

test.each([
  [true, {}, { roots: { listChanged: true } }],
  [true, { roots: true, x: 1 }, { x: 1, roots: { listChanged: true } }],
  [true, { roots: { listChanged: 'yes' } }, { roots: { listChanged: true } }],
  [false, { roots: {}, x: 1 }, { x: 1 }],
])('the gateway answers for roots (%s): %j becomes %j', (answersRoots, capabilities, declared) => {
  const [step] = create(answersRoots).fromClient(request(1, 'initialize', { capabilities }));
  expect(messageOf(step)['params']).toStrictEqual({ capabilities: declared });
});

test('initialize passes as it is if it already says so', () => {
  const message = request(1, 'initialize', { capabilities: { roots: { listChanged: true } } });
  expect(create().fromClient(message)).toStrictEqual([{ kind: 'pass', to: 'server', message }]);
});

test('the gateway answers roots/list, and keeps list_changed', () => {
  const translator = create();
  const [asked] = translator.fromServer(request(0, 'roots/list'));
  const question = asked?.kind === 'roots-asked' ? asked.question : '';
  expect(translator.answerRoots(question, [])).toMatchObject([{ message: { id: 0, result: { roots: [] } } }]);
  expect(translator.fromClient(notification('notifications/roots/list_changed'))).toStrictEqual([
    { kind: 'roots-changed' },
  ]);
  expect(translator.rootsChanged().map(methodOf)).toStrictEqual(['notifications/roots/list_changed']);
  expect(create(false).fromServer(request(0, 'roots/list'))[0]).toMatchObject({ message: { error: {} } });
});

test('a new process gets the last level, and the subscriptions that are left', () => {
  const translator = create();
  for (const level of ['info', 'debug']) translator.fromClient(request(1, 'logging/setLevel', { level }));
  for (const uri of ['a:b', 'c:d']) translator.fromClient(request(2, 'resources/subscribe', { uri }));
  translator.fromClient(request(3, 'resources/unsubscribe', { uri: 'a:b' }));
  const steps = translator.resume();
  expect(steps.map((step) => messageOf(step)['params'])).toStrictEqual([{ level: 'debug' }, { uri: 'c:d' }]);
  expect(translator.fromServer(response(idOf(steps[0]), {}))).toStrictEqual([]);
});
