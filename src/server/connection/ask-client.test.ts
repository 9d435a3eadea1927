import { describe, expect, test } from 'vitest';
import { askClient, type ClientAnswer, type ClientRoute } from './ask-client.ts';

const request = { method: 'roots/list' };
const never: ClientRoute = () => new Promise(() => undefined);
const failing =
  (code: unknown, message = 'no'): ClientRoute =>
  async () => {
    throw Object.assign(new Error(message), code === undefined ? {} : { code });
  };

describe('a request results in', () => {
  test.each<[string, ClientRoute, ClientAnswer]>([
    ['its answer', async () => ({ roots: [] }), { kind: 'answered', result: { roots: [] } }],
    ['refused: no such method', failing(-32601), { kind: 'refused', reason: 'no', unknown: true }],
    ['refused: invalid', failing(-32600), { kind: 'refused', reason: 'no' }],
    ['refused: internal error', failing(-32603), { kind: 'refused', reason: 'no' }],
    [
      'refused: no such capability, in words',
      failing('CAPABILITY_NOT_SUPPORTED'),
      { kind: 'refused', reason: 'no' },
    ],
    ['silent: the SDK gave up, v1', failing(-32001), { kind: 'silent', reason: 'no' }],
    ['silent: the SDK gave up, v2', failing('REQUEST_TIMEOUT'), { kind: 'silent', reason: 'no' }],
    ['gone: the connection closed, v1', failing(-32000), { kind: 'gone', reason: 'no' }],
    ['gone: the connection closed, v2', failing('CONNECTION_CLOSED'), { kind: 'gone', reason: 'no' }],
    [
      'gone: it never was connected',
      failing(undefined, 'Not connected'),
      { kind: 'gone', reason: 'Not connected' },
    ],
  ])('%s', async (_name, way, reply) => {
    expect(await askClient({ request, ways: [way], patience: 1_000 })).toEqual(reply);
  });

  test('silence after the timeout', async () => {
    expect(await askClient({ request, ways: [never], patience: 20 })).toEqual({
      kind: 'silent',
      reason: 'no answer within 0.02 s',
    });
  });

  test('nothing if the call is cancelled', async () => {
    const controller = new AbortController();
    const reply = askClient({ request, ways: [never], patience: 60_000, signal: controller.signal });
    controller.abort();
    expect(await reply).toEqual({ kind: 'gone', reason: 'the call was cancelled' });
  });
});

test('the SDK waits longer than we do, so that a late answer still arrives', async () => {
  let timeout = 0;
  const way: ClientRoute = async (_request, options) => {
    timeout = options.timeout;
  };
  await askClient({ request, ways: [way], patience: 100 });
  expect(timeout).toBe(300);
});

test('passes on a late answer', async () => {
  let answer: (value: unknown) => void = () => undefined;
  const way: ClientRoute = () => new Promise((resolve) => (answer = resolve));
  const late = new Promise<ClientAnswer>((resolve) => {
    void askClient({ request, ways: [way], patience: 5, late: resolve }).then(() => answer('at last'));
  });
  expect(await late).toEqual({ kind: 'answered', result: 'at last' });
});

describe('the second channel', () => {
  test('is not used if the first one answers', async () => {
    let taken = 0;
    const second: ClientRoute = async () => (taken += 1);
    await askClient({ request, ways: [async () => 'first', second], patience: 1_000 });
    expect(taken).toBe(0);
  });

  test('is not used if the first one refuses: the client has answered', async () => {
    let taken = 0;
    const second: ClientRoute = async () => (taken += 1);
    const reply = await askClient({ request, ways: [failing(-32601), second], patience: 1_000 });
    expect(reply.kind).toBe('refused');
    expect(taken).toBe(0);
  });

  test('is used if the first one gets no response', async () => {
    const reply = await askClient({ request, ways: [never, async () => 'second'], patience: 2_000 });
    expect(reply).toEqual({ kind: 'answered', result: 'second' });
  });

  test('does not replace the first one: the first answer counts', async () => {
    let answer: (value: unknown) => void = () => undefined;
    const first: ClientRoute = () => new Promise((resolve) => (answer = resolve));
    const second: ClientRoute = () => {
      answer('first after all');
      return new Promise(() => undefined);
    };
    const reply = await askClient({ request, ways: [first, second], patience: 1_000 });
    expect(reply).toEqual({ kind: 'answered', result: 'first after all' });
  });

  test('does not extend the timeout', async () => {
    const started = performance.now();
    expect((await askClient({ request, ways: [never, never], patience: 50 })).kind).toBe('silent');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
