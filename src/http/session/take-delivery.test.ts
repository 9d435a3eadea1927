import { expect, test, vi } from 'vitest';
import { openMemoryStore } from '../../sessions/memory-store.ts';
import { defaultLimits } from '../exchange/http-limits.ts';
import { createRequestStateCodec, newSealingKey } from '../exchange/request-state.ts';
import { type HttpEvent, sessionEnded, Endpoint, streamOpened } from '../exchange/endpoint.ts';
import { createMeters } from '../exchange/telemetry.ts';
import { takeDelivery } from './take-delivery.ts';

function newSite(): {
  endpoint: Endpoint;
  events: HttpEvent[];
  call: { readonly cancel: () => void; readonly abandon: () => void };
} {
  const events: HttpEvent[] = [];
  const endpoint = new Endpoint({
    store: openMemoryStore(),
    limits: defaultLimits,
    createServer: () => ({ connect: async () => {}, close: async () => {} }),
    codec: createRequestStateCodec({ keys: [newSealingKey()] }),
    notifications: true,
    announces: undefined,
    repeatable: () => false,
    meters: createMeters(),
    record: (event) => events.push(event),
  });
  const call = { cancel: vi.fn<() => void>(), abandon: vi.fn<() => void>() };
  endpoint.calls.add('s', [1], call);
  return { endpoint, events, call };
}

const from = { session: 's', principal: 'p' };

test('an answer reaches its waiter, and a second one is recorded', () => {
  const { endpoint, events } = newSite();
  const answer = vi.fn<() => void>();
  const id = endpoint.waiting.expect({ ...from, answer, progress: () => {} });
  const message = { jsonrpc: '2.0', id, result: {} };
  expect(takeDelivery(endpoint, { ...from, session: 'other', message })).toBe(false);
  expect(takeDelivery(endpoint, { ...from, message })).toBe(true);
  expect(takeDelivery(endpoint, { ...from, message })).toBe(false);
  expect(answer).toHaveBeenCalledOnce();
  expect(events.map(({ kind }) => kind)).toEqual(['forged-answer', 'unknown-answer']);
});

test('another node can cancel a call, in its own session only', () => {
  const { endpoint, call } = newSite();
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  takeDelivery(endpoint, { ...from, session: 'other', message });
  expect(call.cancel).not.toHaveBeenCalled();
  takeDelivery(endpoint, { ...from, message });
  expect(call.cancel).toHaveBeenCalledExactlyOnceWith(message);
});

test('a cancellation counts whatever other fields it has', () => {
  const { endpoint, call } = newSite();
  const params = { requestId: 1, progressToken: 'a-question-of-nobody' };
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  expect(takeDelivery(endpoint, { ...from, message })).toBe(true);
  expect(call.cancel).toHaveBeenCalledExactlyOnceWith(message);
});

test('a stream opened on another node replaces the one here', () => {
  const { endpoint, call } = newSite();
  const end = vi.spyOn(endpoint.streams, 'end');
  takeDelivery(endpoint, { ...from, message: streamOpened });
  expect(end).toHaveBeenCalledExactlyOnceWith('s');
  expect(call.abandon).not.toHaveBeenCalled();
});

test('a session that ended on another node has its calls abandoned here', () => {
  const { endpoint, call } = newSite();
  takeDelivery(endpoint, { ...from, message: sessionEnded });
  expect(call.abandon).toHaveBeenCalledOnce();
});
