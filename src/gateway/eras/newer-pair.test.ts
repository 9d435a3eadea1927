import { expect, test } from 'vitest';
import {
  envelope,
  idOf,
  messageOf,
  notification,
  request,
  response,
  translatorOptions,
} from '../../../test/support/peers/relay-eras.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import { metaNames, readEnvelope } from './envelope.ts';
import { methods } from './methods.ts';
import { NewerPairTranslator } from './newer-pair.ts';
import type { EraStep, TranslatorOptions } from './step.ts';

const roots = [{ uri: 'file:///a' }];
const elicit = { method: 'elicitation/create', params: { message: 'Sure?' } };
const forRoots = { method: 'roots/list' };
const declared = envelope({ roots: {} });

function create(options: Partial<TranslatorOptions> = {}): NewerPairTranslator {
  return new NewerPairTranslator(translatorOptions(options));
}

function answered(translator: NewerPairTranslator, step: EraStep | undefined): Fields {
  if (step?.kind !== 'roots-asked') throw new Error(`Not asked for roots: ${JSON.stringify(step)}`);
  return messageOf(translator.answerRoots(step.question, roots)[0]);
}

test('every message of 2026-07-28 passes as it is, where roots are declared', () => {
  const translator = create();
  for (const { method, from, kind, until } of methods) {
    if (until !== '2026-07-28') continue;
    const message = kind === 'request' ? request(1, method, declared) : notification(method, { a: 1 });
    const [to, steps] =
      from === 'client'
        ? (['server', translator.fromClient(message)] as const)
        : (['client', translator.fromServer(message)] as const);
    expect(steps).toStrictEqual([{ kind: 'pass', to, message }]);
  }
  const answer = response(1, { resultType: 'complete', unknown: 1 });
  expect(translator.fromServer(answer)).toStrictEqual([{ kind: 'pass', to: 'client', message: answer }]);
});

test('the gateway declares roots in a call of a client without', () => {
  const [step] = create().fromClient(request(1, 'tools/call', { name: 't', ...envelope({ x: {} }) }));
  expect(readEnvelope(messageOf(step)['params'])?.capabilities).toStrictEqual({ x: {}, roots: {} });
  const call = request(1, 'tools/call', { name: 't', ...envelope() });
  expect(create({ answersRoots: false }).fromClient(call)[0]).toMatchObject({ kind: 'pass' });
});

test.each(['s', '', undefined])('a round for roots alone is answered here, with the state %j', (state) => {
  const translator = create();
  translator.fromClient(request(1, 'tools/call', { name: 't', ...envelope() }));
  const asks = { resultType: 'input_required', inputRequests: { r: forRoots } };
  const [asked] = translator.fromServer(
    response(1, { ...asks, ...(state !== undefined && { requestState: state }) }),
  );
  const again = answered(translator, asked);
  const params = fieldsOf(again['params']);
  expect(params).toMatchObject({ name: 't', inputResponses: { r: { roots } } });
  expect(params['requestState']).toBe(state);
  expect(again['id']).not.toBe(1);
  const result = { resultType: 'complete', content: [] };
  expect(translator.fromServer(response(again['id'] as string, result))).toStrictEqual([
    { kind: 'send', to: 'client', message: response(1, result) },
  ]);
});

test.each(['s', undefined])(
  'the client sees the other questions of a round alone, with the state %j',
  (state) => {
    const translator = create();
    const call = request(1, 'tools/call', { name: 't', ...declared });
    translator.fromClient(call);
    const asks = { resultType: 'input_required', inputRequests: { r: forRoots, q: elicit } };
    const [asked] = translator.fromServer(
      response(1, { ...asks, ...(state !== undefined && { requestState: state }) }),
    );
    const result = fieldsOf(messageOf(asked)['result']);
    expect(result['inputRequests']).toStrictEqual({ q: elicit });
    const back = { requestState: result['requestState'], inputResponses: { q: { action: 'accept' } } };
    const [held] = translator.fromClient(request(2, 'tools/call', { ...call.params, ...back }));
    const again = answered(translator, held);
    expect(again).toMatchObject({
      id: 2,
      params: { name: 't', inputResponses: { q: { action: 'accept' }, r: { roots } } },
    });
    expect(fieldsOf(again['params'])['requestState']).toBe(state);
  },
);

test('a round without roots passes, and so does its retry', () => {
  const translator = create();
  const call = request(1, 'tools/call', { name: 't', ...declared });
  translator.fromClient(call);
  const asks = response(1, { resultType: 'input_required', inputRequests: { q: elicit }, requestState: 's' });
  expect(translator.fromServer(asks)).toMatchObject([{ kind: 'pass', to: 'client' }]);
  const retry = request(2, 'tools/call', { ...call.params, requestState: 's', inputResponses: { q: {} } });
  expect(translator.fromClient(retry)).toStrictEqual([{ kind: 'pass', to: 'server', message: retry }]);
});

test('a forged state of the gateway is refused', () => {
  const forged = request(1, 'tools/call', { name: 't', requestState: 'rootward:v1.a.b.c', ...declared });
  expect(create().fromClient(forged)).toMatchObject([
    { to: 'client', message: { error: { code: -32_602 } } },
  ]);
});

test('a server that asks for roots without end fails the call', () => {
  const translator = create();
  translator.fromClient(request(1, 'tools/call', { name: 't', ...declared }));
  const asks = { resultType: 'input_required', inputRequests: { r: forRoots } };
  let id: string | number = 1;
  for (let round = 0; round < 10; round += 1) {
    const [asked] = translator.fromServer(response(id, asks));
    id = answered(translator, asked)['id'] as string;
  }
  expect(translator.fromServer(response(id, asks))).toMatchObject([
    { to: 'client', message: { id: 1, error: { code: -32_603 } } },
    { kind: 'record', record: { what: 'declined' } },
  ]);
});

test('the client is asked for its roots before its first call, and not again', () => {
  let wanted = true;
  const translator = create({ wantsClientRoots: () => wanted });
  const call = request(1, 'tools/call', { name: 't', ...declared });
  const result = fieldsOf(messageOf(translator.fromClient(call)[0])['result']);
  const [key = ''] = Object.keys(fieldsOf(result['inputRequests']));
  wanted = false;
  const back = { requestState: result['requestState'], inputResponses: { [key]: { roots } } };
  expect(translator.fromClient(request(2, 'tools/call', { ...call.params, ...back }))).toMatchObject([
    { kind: 'roots-said', result: { roots } },
    { to: 'server', message: request(2, 'tools/call', call.params) },
  ]);
});

test('cancelling reaches the leg that the server works on', () => {
  const translator = create();
  translator.fromClient(request(1, 'tools/call', { name: 't', ...declared }));
  const asks = { resultType: 'input_required', inputRequests: { r: forRoots } };
  const again = answered(translator, translator.fromServer(response(1, asks))[0]);
  const cancelled = translator.fromClient(notification('notifications/cancelled', { requestId: 1 }));
  expect(cancelled).toMatchObject([{ to: 'server', message: { params: { requestId: again['id'] } } }]);
});

test('a subscription is renewed at a new process under its id, and acknowledged once', () => {
  const translator = create();
  const listen = request('l', 'subscriptions/listen', { notifications: {}, ...declared });
  translator.fromClient(listen);
  const acknowledged = notification('notifications/subscriptions/acknowledged', {
    _meta: { [metaNames.subscription]: 'l' },
  });
  expect(translator.fromServer(acknowledged)).toMatchObject([{ kind: 'pass' }]);
  const steps = translator.resume();
  expect(idOf(steps[0])).toBe('l');
  expect(translator.fromServer(acknowledged)).toStrictEqual([]);
  expect(translator.fromServer(acknowledged)).toMatchObject([{ kind: 'pass' }]);
  translator.fromClient(notification('notifications/cancelled', { requestId: 'l' }));
  expect(translator.resume()).toStrictEqual([]);
});
