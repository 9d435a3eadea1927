import { expect, test } from 'vitest';
import {
  idOf,
  messageOf,
  request,
  response,
  translatorOptions,
} from '../../../test/support/peers/relay-eras.ts';
import { fieldsOf, type Fields } from '../../base/fields.ts';
import { DrivenCalls } from './driven-calls.ts';
import { readEnvelope } from './envelope.ts';
import type { EraStep } from './step.ts';

const elicit = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } };
const sample = { method: 'sampling/createMessage', params: { messages: [] } };

function createCalls(capabilities: Fields = { elicitation: {}, sampling: {} }): DrivenCalls {
  const { newId } = translatorOptions();
  return new DrivenCalls({ newId, introduce: () => ({ capabilities, info: { name: 'c' } }) });
}

function begin(calls: DrivenCalls, params: Fields = { name: 't' }): EraStep | undefined {
  return calls.begin(request(1, 'tools/call', params))[0];
}

function asks(inputRequests?: Fields, requestState?: string): Fields {
  return {
    resultType: 'input_required',
    ...(inputRequests && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  };
}

test('a call goes to the server under its own id, with an introduction', () => {
  const sent = messageOf(begin(createCalls()));
  expect(sent).toMatchObject({ id: 1, method: 'tools/call', params: { name: 't' } });
  expect(readEnvelope(sent['params'])?.capabilities).toStrictEqual({ elicitation: {}, sampling: {} });
});

test('questions of one round are put at once, and the call is sent again with all answers', () => {
  const calls = createCalls();
  begin(calls, { name: 't', _meta: { progressToken: 'p' } });
  const asked = calls.settle(response(1, asks({ a: elicit, b: sample, c: { method: 'roots/list' } }, 's')));
  expect(asked).toMatchObject([
    { to: 'client', message: elicit },
    { to: 'client', message: sample },
    { kind: 'roots-asked' },
  ]);
  expect(calls.answer(response(idOf(asked[0]), { action: 'accept' }))).toStrictEqual([]);
  expect(calls.answer(response(idOf(asked[1]), { role: 'assistant' }))).toStrictEqual([]);
  const [, , roots] = asked;
  const question = roots?.kind === 'roots-asked' ? roots.question : '';
  const [again] = calls.answer(response(question, { roots: [] })) ?? [];
  expect(messageOf(again)).toMatchObject({
    method: 'tools/call',
    params: {
      name: 't',
      inputResponses: { a: { action: 'accept' }, b: { role: 'assistant' }, c: { roots: [] } },
      requestState: 's',
      _meta: { progressToken: 'p' },
    },
  });
  expect(calls.hasToken('p')).toBe(true);
  expect(calls.settle(response(idOf(again), { resultType: 'complete', content: [] }))).toMatchObject([
    { to: 'client', message: { id: 1, result: { content: [] } } },
  ]);
  expect(calls.hasToken('p')).toBe(false);
});

test.each([
  ['', ''],
  ['state', 'state'],
  [undefined, undefined],
])('the state %j comes back as it was', (given, back) => {
  const calls = createCalls();
  begin(calls);
  const [asked] = calls.settle(response(1, asks({ a: elicit }, given)));
  const [again] = calls.answer(response(idOf(asked), {})) ?? [];
  expect(fieldsOf(messageOf(again)['params'])['requestState']).toBe(back);
});

test('a round with a state and no question is sent again at once', () => {
  const calls = createCalls();
  begin(calls);
  const [again] = calls.settle(response(1, asks(undefined, 's')));
  expect(messageOf(again)).toMatchObject({ method: 'tools/call', params: { requestState: 's' } });
});

test('a call with ten rounds is completed, and one with eleven fails', () => {
  const calls = createCalls();
  let leg = idOf(begin(calls));
  for (let round = 1; round <= 10; round += 1) leg = idOf(calls.settle(response(leg, asks({}, 's')))[0]);
  const failed = calls.settle(response(leg, asks({}, 's')));
  expect(failed).toMatchObject([
    { to: 'client', message: { id: 1, error: { code: -32_603 } } },
    { kind: 'record', record: { what: 'declined', why: 'the server asked more than 10 times' } },
  ]);
});

const nine = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`q${index}`, elicit]));
test.each([
  ['nine questions at once', asks(nine), {}],
  ['neither a question nor a state', asks(), {}],
  ['an unknown question', asks({ a: { method: 'x/y' } }), {}],
  ['a question without a method', asks({ a: {} }), {}],
  ['a capability that is not declared', asks({ a: sample }), { elicitation: {} }],
  ['a URL', asks({ a: { method: 'elicitation/create', params: { mode: 'url' } } }), { elicitation: {} }],
  ['a result of an unknown type', { resultType: 'later' }, {}],
])('%s fails the call, and nothing is asked', (_, result, capabilities) => {
  const calls = createCalls({ elicitation: {}, ...capabilities });
  begin(calls);
  const steps = calls.settle(response(1, result));
  expect(steps).toMatchObject([{ to: 'client', message: { id: 1, error: {} } }, { kind: 'record' }]);
});

test('a list that asks for input fails: only calls may', () => {
  const calls = createCalls();
  calls.begin(request(1, 'tools/list'));
  expect(calls.settle(response(1, asks({ a: elicit })))[0]).toMatchObject({ message: { error: {} } });
});

test('a person who cannot be asked has cancelled; a model that cannot be asked fails the call', () => {
  const error = { code: -32_603, message: 'no' };
  const calls = createCalls();
  begin(calls);
  const [asked] = calls.settle(response(1, asks({ a: elicit })));
  const [again] = calls.answer({ jsonrpc: '2.0', id: idOf(asked), error }) ?? [];
  expect(messageOf(again)).toMatchObject({ params: { inputResponses: { a: { action: 'cancel' } } } });
  const [next, other] = calls.settle(response(idOf(again), asks({ a: sample, b: elicit })));
  expect(calls.answer({ jsonrpc: '2.0', id: idOf(next), error })).toMatchObject([
    { to: 'client', message: { method: 'notifications/cancelled', params: { requestId: idOf(other) } } },
    { to: 'client', message: { id: 1, error: {} } },
    { kind: 'record' },
  ]);
});

test('an error of the server goes to the client under the id of its request', () => {
  const calls = createCalls();
  begin(calls);
  const [again] = calls.settle(response(1, asks({}, 's')));
  const error = { code: -1, message: 'm', data: [1] };
  expect(calls.settle({ jsonrpc: '2.0', id: idOf(again), error })).toMatchObject([
    { message: { id: 1, error } },
  ]);
});

test('cancelling reaches the leg under way, or the questions', () => {
  const calls = createCalls();
  begin(calls);
  const [again] = calls.settle(response(1, asks({}, 's')));
  expect(calls.cancel(1, 'enough')).toMatchObject([
    { to: 'server', message: { params: { requestId: idOf(again), reason: 'enough' } } },
  ]);
  expect(calls.settle(response(idOf(again), {}))).toMatchObject([{ kind: 'record' }]);
  begin(calls);
  const [asked] = calls.settle(response(1, asks({ a: elicit })));
  expect(calls.cancel(1, undefined)).toMatchObject([
    { to: 'client', message: { params: { requestId: idOf(asked) } } },
  ]);
  expect(calls.answer(response(idOf(asked), {}))).toBeUndefined();
  expect(calls.cancel('other', undefined)).toStrictEqual([]);
});

test('a late answer to an old process is dropped', () => {
  const calls = createCalls();
  begin(calls);
  calls.clear();
  expect(calls.settle(response(1, {}))).toMatchObject([{ kind: 'record', record: { what: 'dropped' } }]);
});
