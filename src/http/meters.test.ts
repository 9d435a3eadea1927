import type { Meter } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { openEndpoint } from '../../test/http/open-endpoint.ts';
import { askForRoots, beginSession, call, send } from '../../test/http/raw.ts';
import { createMeters, meterSessions } from './meters.ts';

/** A meter that keeps what it is told. */
function newMeter(): {
  meter: Meter;
  told: [string, number, object | undefined][];
  readonly read: () => Promise<void>;
} {
  const told: [string, number, object | undefined][] = [];
  const callbacks = new Set<(result: { observe(value: number): void }) => unknown>();
  const instrument = (name: string) => ({
    add: (value: number, attributes?: object) => told.push([name, value, attributes]),
    record: (value: number, attributes?: object) => told.push([name, value, attributes]),
    addCallback: (callback: never) => callbacks.add(callback),
    removeCallback: (callback: never) => callbacks.delete(callback),
  });
  const meter = {
    createCounter: instrument,
    createHistogram: instrument,
    createObservableGauge: instrument,
  } as unknown as Meter;
  const observe = (value: number): void => void told.push(['rootward.sessions', value, undefined]);
  return {
    meter,
    told,
    read: async () => void (await Promise.all([...callbacks].map((each) => each({ observe })))),
  };
}

test('calls, questions, known roots, refusals and sessions are counted', async () => {
  const { meter, told } = newMeter();
  await using endpoint = await openEndpoint({ meters: createMeters(meter) });
  const headers = await beginSession(endpoint);
  await send(endpoint, { headers, body: call(5, 'echo', { text: 'x' }) });
  await askForRoots(endpoint, headers);
  await send(endpoint, { headers: { authorization: 'Bearer wrong' }, body: {} });
  expect(told).toEqual(
    expect.arrayContaining([
      ['rootward.calls', 1, { method: 'tools/call', ok: true }],
      ['rootward.call.duration', expect.any(Number), { method: 'tools/call' }],
      ['rootward.roots.lookups', 1, { hit: false }],
      ['rootward.asks', 1, { method: 'roots/list', again: false }],
      ['rootward.events', 1, { kind: 'session-begun' }],
      ['rootward.events', 1, { kind: 'wrong-token' }],
    ]),
  );
});

test('commands of the engine are measured by name', () => {
  const { meter, told } = newMeter();
  createMeters(meter).engine({ name: 'touch', milliseconds: 2, ok: true });
  expect(told).toEqual([['rootward.engine.duration', 2, { command: 'touch', ok: true }]]);
});

test('sessions are counted when somebody reads, and nothing is said where they are away', async () => {
  const { meter, told, read } = newMeter();
  let away = false;
  const stop = meterSessions({ count: async () => (away ? Promise.reject(new Error('away')) : 7) }, meter);
  await read();
  away = true;
  await read();
  stop();
  away = false;
  await read();
  expect(told).toEqual([['rootward.sessions', 7, undefined]]);
});
