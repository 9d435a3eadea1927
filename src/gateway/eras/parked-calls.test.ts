import { expect, test } from 'vitest';
import {
  envelope,
  idOf,
  messageOf,
  request,
  response,
  translatorOptions,
} from '../../../test/support/peers/relay-eras.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { RpcRequest } from '../../http/exchange/json-rpc.ts';
import { ParkedCalls } from './parked-calls.ts';
import { openCarried } from './rounds-of-client.ts';
import type { EraStep, TranslatorOptions } from './step.ts';

const all = { elicitation: { form: {}, url: {} }, sampling: {} };
const elicit = { id: 's1', method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } };
const sample = { id: 's2', method: 'sampling/createMessage', params: { messages: [], task: {} } };

/** A client of 2026-07-28 that comes back with the state that it got. */
class Setup {
  readonly options: TranslatorOptions;
  readonly calls: ParkedCalls;
  now = 0;

  constructor() {
    this.options = translatorOptions({ now: () => this.now });
    this.calls = new ParkedCalls(this.options, { name: 's' });
  }

  begin(id: number, { method = 'tools/call', capabilities = all, meta = {} }: Begun = {}): RpcRequest {
    const { _meta: introduced } = envelope(capabilities);
    const sent = request(id, method, { name: 't', _meta: { ...fieldsOf(introduced), ...meta } });
    this.calls.begin(sent);
    return sent;
  }

  comeBack(id: number, asked: EraStep | undefined, answers: Fields, meta: Fields = {}): readonly EraStep[] {
    const { requestState } = fieldsOf(messageOf(asked)['result']);
    const { _meta: introduced } = envelope(all);
    const params = { name: 't', requestState, inputResponses: answers };
    const sent = request(id, 'tools/call', { ...params, _meta: { ...fieldsOf(introduced), ...meta } });
    const carried = openCarried(sent, this.options.requestState);
    if ('fault' in carried || carried.state?.kind !== 'parked') throw new Error('It was not parked');
    return this.calls.comeBack(sent, carried.state.handle, answers);
  }
}

interface Begun {
  readonly method?: string;
  readonly capabilities?: Fields;
  readonly meta?: Fields;
}

/** The questions in a round. */
function questionsOf(step: EraStep | undefined): Fields {
  return fieldsOf(fieldsOf(messageOf(step)['result'])['inputRequests']);
}

function answersTo(step: EraStep | undefined, answer: unknown): Fields {
  return Object.fromEntries(Object.keys(questionsOf(step)).map((key) => [key, answer]));
}

test('a question ends the request of the client, its answer goes to the server, and the result to the retry', () => {
  const setup = new Setup();
  const { calls } = setup;
  setup.begin(1);
  const [asked] = calls.ask(elicit);
  expect(messageOf(asked)).toMatchObject({ id: 1, result: { resultType: 'input_required' } });
  expect(Object.values(questionsOf(asked))).toStrictEqual([{ method: elicit.method, params: elicit.params }]);
  const back = setup.comeBack(2, asked, answersTo(asked, { action: 'accept' }));
  expect(back).toMatchObject([{ to: 'server', message: { id: 's1', result: { action: 'accept' } } }]);
  expect(calls.settle(response(1, { content: [] }))).toMatchObject([
    { to: 'client', message: { id: 2, result: { content: [], resultType: 'complete' } } },
  ]);
});

test('questions that come while the call is parked are put in the next round', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  expect(setup.calls.ask(sample)).toStrictEqual([]);
  const [answered, next] = setup.comeBack(2, asked, answersTo(asked, { action: 'accept' }));
  expect(answered).toMatchObject({ to: 'server', message: { id: 's1' } });
  expect(Object.values(questionsOf(next))).toStrictEqual([
    { method: sample.method, params: { messages: [] } },
  ]);
  expect(idOf(next)).toBe(2);
});

test('a question without an answer is put again', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  const [again] = setup.comeBack(2, asked, {});
  expect(questionsOf(again)).toStrictEqual(questionsOf(asked));
});

test('a result that comes while the call is parked waits for the retry', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  expect(setup.calls.settle(response(1, { content: [] }))).toStrictEqual([]);
  expect(setup.comeBack(2, asked, answersTo(asked, {}))).toMatchObject([
    { to: 'client', message: { id: 2, result: { content: [] } } },
  ]);
});

test('a handle is good for one round', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  setup.comeBack(2, asked, answersTo(asked, {}));
  expect(setup.comeBack(3, asked, answersTo(asked, {}))).toMatchObject([
    { to: 'client', message: { id: 3, error: { code: -32_602 } } },
  ]);
});

const declines: readonly (readonly [string, (setup: Setup) => void])[] = [
  ['no request is open', () => undefined],
  ['two requests are open', (setup) => [setup.begin(1), setup.begin(2)]],
  ['the open request is a list', (setup) => setup.begin(1, { method: 'tools/list' })],
  ['the client did not declare it', (setup) => setup.begin(1, { capabilities: {} })],
];
test.each(declines)('a question is declined and recorded if %s', (_, prepare) => {
  const setup = new Setup();
  prepare(setup);
  expect(setup.calls.ask(elicit)).toMatchObject([
    { to: 'server', message: { id: 's1', result: { action: 'cancel' } } },
    { kind: 'record', record: { what: 'declined', method: elicit.method } },
  ]);
  expect(setup.calls.ask(sample)).toMatchObject([
    { to: 'server', message: { id: 's2', error: {} } },
    { kind: 'record' },
  ]);
});

test('a URL is asked of a client that declared URLs, without the id that the era does not have', () => {
  const url = { ...elicit, params: { mode: 'url', url: 'https://a', message: 'm', elicitationId: 'e' } };
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(url);
  expect(Object.values(questionsOf(asked))).toMatchObject([
    { params: { mode: 'url', url: 'https://a', message: 'm' } },
  ]);
  expect(JSON.stringify(questionsOf(asked))).not.toContain('elicitationId');
  const other = new Setup();
  other.begin(1, { capabilities: { elicitation: {} } });
  expect(other.calls.ask(url)[0]).toMatchObject({ message: { result: { action: 'cancel' } } });
});

test('a server that asks without end is declined after ten rounds', () => {
  const setup = new Setup();
  setup.begin(0);
  let [asked] = setup.calls.ask(elicit);
  for (let round = 1; round < 10; round += 1) [asked] = setup.comeBack(round, asked, {});
  expect(setup.comeBack(10, asked, {})).toMatchObject([
    { to: 'server', message: { id: 's1', result: { action: 'cancel' } } },
    { kind: 'record' },
  ]);
  expect(setup.calls.ask(elicit)).toMatchObject([{ to: 'server' }, { kind: 'record' }]);
});

test('the ninth question that waits is declined', () => {
  const setup = new Setup();
  setup.begin(1);
  for (let count = 0; count < 8; count += 1) setup.calls.ask({ ...elicit, id: count });
  expect(setup.calls.ask(elicit)).toMatchObject([
    { to: 'server', message: { id: 's1' } },
    { kind: 'record' },
  ]);
});

test('a client that does not come back in ten minutes is given up, at the server too', () => {
  const setup = new Setup();
  setup.begin(1);
  setup.calls.ask(elicit);
  setup.now = 599_999;
  expect(setup.calls.expire()).toStrictEqual([]);
  setup.now = 600_000;
  expect(setup.calls.expire()).toMatchObject([
    { to: 'server', message: { id: 's1', result: { action: 'cancel' } } },
    { kind: 'record' },
    { to: 'server', message: { method: 'notifications/cancelled', params: { requestId: 1 } } },
    { kind: 'record', record: { what: 'expired', method: 'tools/call' } },
  ]);
  expect(setup.calls.expire()).toStrictEqual([]);
});

test('cancelling the retry cancels the call at the server', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  setup.comeBack(2, asked, answersTo(asked, {}));
  expect(setup.calls.cancel(1, '')).toStrictEqual([]);
  expect(setup.calls.cancel(2, 'why')).toMatchObject([
    { to: 'server', message: { params: { requestId: 1, reason: 'why' } } },
  ]);
  expect(setup.calls.settle(response(1, {}))).toBeUndefined();
});

test('a question that the server took back is not put again', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  setup.calls.withdraw('s1');
  expect(setup.comeBack(2, asked, answersTo(asked, {}))).toStrictEqual([]);
});

test('progress has the token of the retry, and there is none while nothing waits', () => {
  const setup = new Setup();
  setup.begin(1, { meta: { progressToken: 'a' } });
  const progress = { progressToken: 'a', progress: 1 };
  expect(setup.calls.progress(progress)).toBe(progress);
  const [asked] = setup.calls.ask(elicit);
  expect(setup.calls.progress(progress)).toBeUndefined();
  setup.comeBack(2, asked, answersTo(asked, {}), { progressToken: 'b' });
  expect(setup.calls.progress(progress)).toStrictEqual({ progressToken: 'b', progress: 1 });
  expect(setup.calls.progress({ progressToken: 'c' })).toBeUndefined();
});

test('a refusal until URLs are opened becomes a round, and then the call begins anew', () => {
  const setup = new Setup();
  const sent = setup.begin(1);
  const elicitations = [{ mode: 'url', url: 'https://a', message: 'm', elicitationId: 'e' }];
  const error = { code: -32_042, message: 'open', data: { elicitations } };
  const [asked] = setup.calls.settle({ jsonrpc: '2.0', id: 1, error }) ?? [];
  expect(Object.values(questionsOf(asked))).toStrictEqual([
    { method: 'elicitation/create', params: { mode: 'url', url: 'https://a', message: 'm' } },
  ]);
  const { requestState } = fieldsOf(messageOf(asked)['result']);
  const again = { ...sent, params: { ...sent.params, requestState } };
  expect(openCarried(again, setup.options.requestState)).toMatchObject({ state: { kind: 'again' } });
  const plain = new Setup();
  plain.begin(1, { capabilities: {} });
  expect(plain.calls.settle({ jsonrpc: '2.0', id: 1, error })).toMatchObject([{ message: { id: 1, error } }]);
});

test('a log is wanted by a request that asked for one', () => {
  const setup = new Setup();
  setup.begin(1);
  expect(setup.calls.wantsLog(() => true)).toBe(false);
  setup.begin(2, { meta: { 'io.modelcontextprotocol/logLevel': 'info' } });
  expect(setup.calls.wantsLog((level) => level === 'info')).toBe(true);
});

test('after a restart nothing waits', () => {
  const setup = new Setup();
  setup.begin(1);
  const [asked] = setup.calls.ask(elicit);
  setup.calls.clear();
  expect(setup.calls.settle(response(1, {}))).toBeUndefined();
  expect(setup.comeBack(2, asked, {})).toMatchObject([{ to: 'client', message: { error: {} } }]);
});
