import { expect, test } from 'vitest';
import { envelope, messageOf, request, translatorOptions } from '../../../test/support/peers/relay-eras.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { RpcRequest } from '../../http/exchange/json-rpc.ts';
import { askForRoots, askInRound, openCarried, rootsSaid, withoutAnswers } from './rounds-of-client.ts';

const call = request(1, 'tools/call', { name: 't', arguments: { a: 1, b: { c: 2, d: 3 } }, ...envelope() });
const state = { kind: 'parked', handle: 'h' } as const;
const { requestState: codec } = translatorOptions();
const inputRequests = { q: { method: 'roots/list' } };
const sealed = String(
  fieldsOf(messageOf(askInRound(call, { inputRequests, state }, codec))['result'])['requestState'],
);

function again(params: Fields, method = call.method): RpcRequest {
  return request(2, method, { ...call.params, ...params });
}

test('a round that is sent again brings the state and the answers', () => {
  const request = again({ requestState: sealed, inputResponses: { q: { roots: [] } } });
  expect(openCarried(request, codec)).toStrictEqual({ request, state, answers: { q: { roots: [] } } });
});

test('the order of keys and the metadata do not count', () => {
  const swapped = { b: { d: 3, c: 2 }, a: 1 };
  const request = again({ requestState: sealed, arguments: swapped, _meta: { x: 1 } });
  expect(openCarried(request, codec)).toMatchObject({ state });
});

test.each([
  ['other arguments', again({ requestState: sealed, arguments: { a: 2 } })],
  ['another tool', again({ requestState: sealed, name: 'u' })],
  ['another method', again({ requestState: sealed }, 'prompts/get')],
  ['a forged state', again({ requestState: `${sealed.slice(0, -2)}xx` })],
  ['a state that is no state', again({ requestState: 'rootward:' })],
])('it is refused with %s', (_, request) => {
  expect(openCarried(request, codec)).toHaveProperty('fault');
});

test('a state expires after ten minutes', () => {
  let now = 0;
  const { requestState } = translatorOptions({ now: () => now });
  const asked = askInRound(call, { inputRequests, state }, requestState);
  const request = again({ requestState: fieldsOf(messageOf(asked)['result'])['requestState'] });
  expect(openCarried(request, requestState)).toMatchObject({ state });
  now = 600_000;
  expect(openCarried(request, requestState)).toHaveProperty('fault');
});

test.each([undefined, '', 'of the server', 1])('the state %j is left to the server', (requestState) => {
  const request = again({ requestState });
  expect(openCarried(request, codec)).toStrictEqual({ request, answers: {} });
});

test('a client is asked for its roots if they are wanted and it declared them', () => {
  const wanted = translatorOptions({ wantsClientRoots: () => true });
  const asking = { ...call, params: { ...call.params, ...envelope({ roots: {} }) } };
  const asked = fieldsOf(messageOf(askForRoots(asking, wanted))['result']);
  expect(asked).toMatchObject({ resultType: 'input_required' });
  const [[key, question] = ['', undefined]] = Object.entries(fieldsOf(asked['inputRequests']));
  expect(question).toStrictEqual({ method: 'roots/list' });
  expect(rootsSaid({ [key]: { roots: [] } })).toStrictEqual({ kind: 'roots-said', result: { roots: [] } });
  expect(askForRoots(call, wanted)).toBeUndefined();
  expect(askForRoots(asking, translatorOptions())).toBeUndefined();
});

test('a request without answers is the one that was sent first', () => {
  expect(withoutAnswers(again({ requestState: 's', inputResponses: {} })).params).toStrictEqual(call.params);
});
