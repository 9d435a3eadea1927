import {
  type Context,
  context,
  type Meter,
  metrics,
  propagation,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { askForRoots, beginSession, call, send } from '../../../test/support/http/raw.ts';
import { createMeters, knownMethod, meterSessions, traceCall, withTrace } from './telemetry.ts';

/** A meter that records its measurements. */
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

test('engine commands are measured by name', () => {
  const { meter, told } = newMeter();
  createMeters(meter).countCommand({ name: 'touch', milliseconds: 2, ok: true });
  expect(told).toEqual([['rootward.engine.duration', 2, { command: 'touch', ok: true }]]);
});

test('counts sessions when the gauge is read, and reports nothing while the store is unavailable', async () => {
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

afterEach(() => {
  metrics.disable();
  trace.disable();
  propagation.disable();
});

test('an OpenTelemetry SDK sees the calls of both eras, and their spans continue the trace of the client', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  propagation.setGlobalPropagator(traceparent);
  await using endpoint = await openEndpoint();
  const headers = await beginSession(endpoint);
  const meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const params = { name: 'echo', arguments: { text: 'x' }, _meta: meta };
  await send(endpoint, { headers, body: { jsonrpc: '2.0', id: 5, method: 'tools/call', params } });
  const strange = { jsonrpc: '2.0', id: 6, method: `made/up-${'x'.repeat(1_000)}`, params: { _meta: meta } };
  await send(endpoint, { headers, body: strange });
  await send(endpoint, modernEcho);
  await reader.forceFlush();
  expect(pointsOf(exporter, 'rootward.calls')).toEqual([
    [{ method: 'tools/call', ok: true }, 2],
    [{ method: 'other', ok: false }, 1],
  ]);
  expect(pointsOf(exporter, 'rootward.sessions')).toEqual([[{}, 1]]);
  expect(spans.getFinishedSpans().map(({ name }) => name)).toEqual([
    'initialize',
    'tools/call echo',
    'other',
    'tools/call echo',
  ]);
  expect(spans.getFinishedSpans()[1]?.spanContext().traceId).toBe(traceId);
  await reader.shutdown();
});

/** The parts of a W3C traceparent that are read. */
const traceparent: TextMapPropagator = {
  inject: () => {},
  extract(context, carrier, getter) {
    const [, traceId, spanId] = String(getter.get(carrier, 'traceparent')).split('-');
    if (traceId === undefined || spanId === undefined) return context;
    return trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
  fields: () => ['traceparent'],
};

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

const modernEcho = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'echo',
      arguments: { text: 'x' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
} as const;

function pointsOf(exporter: InMemoryMetricExporter, name: string): readonly unknown[] {
  const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((it) => it.metrics));
  const found = all.findLast(({ descriptor }) => descriptor.name === name);
  return found?.dataPoints.map(({ attributes, value }) => [attributes, value]) ?? [];
}

const key = Symbol.for('traceparent');

/** Propagates one field, as a W3C propagator does. */
const propagator: TextMapPropagator = {
  inject(active: Context, carrier, setter) {
    const value = active.getValue(key);
    if (typeof value === 'string') setter.set(carrier, 'traceparent', value);
  },
  extract: (active, carrier, getter) => active.setValue(key, getter.get(carrier, 'traceparent')),
  fields: () => ['traceparent'],
};

/** A synchronous context manager, which is enough here. */
function holdContexts(): void {
  let now: Context | undefined;
  context.setGlobalContextManager({
    active: () => now ?? { getValue: () => undefined, setValue: base, deleteValue: base },
    with(inside, act, self, ...args) {
      const before = now;
      now = inside;
      try {
        return act.call(self as never, ...args);
      } finally {
        now = before;
      }
    },
    bind: (_context, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
}

function base(name: symbol, value?: unknown): Context {
  const own: Context = {
    getValue: (asked) => (asked === name ? value : undefined),
    setValue: (other, more) => ({
      ...base(other, more),
      getValue: (asked) => (asked === other ? more : own.getValue(asked)),
    }),
    deleteValue: () => own,
  };
  return own;
}

afterEach(() => {
  context.disable();
  propagation.disable();
});

const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;

test('a request to the client carries the trace that it named in _meta', () => {
  holdContexts();
  propagation.setGlobalPropagator(propagator);
  const trace = traceCall({ ...request, params: { name: 'echo', _meta: { traceparent: '00-ab-cd-01' } } });
  const question = { jsonrpc: '2.0', id: 'q', method: 'roots/list', params: { _meta: { a: 1 } } } as const;
  expect(trace.run(() => withTrace(question)).params).toEqual({
    _meta: { a: 1, traceparent: '00-ab-cd-01' },
  });
  expect(withTrace(question)).toBe(question);
  trace.end({ jsonrpc: '2.0', id: 1, result: {} });
});

test('without OpenTelemetry nothing changes', () => {
  const trace = traceCall(request);
  expect(trace.run(() => withTrace(request))).toBe(request);
  trace.end();
});

test('labels methods of the protocol by name and all others alike', () => {
  expect(knownMethod('tools/call')).toBe('tools/call');
  expect(knownMethod('roots/list')).toBe('roots/list');
  for (const made of ['', 'tools/call2', '__proto__', 'x'.repeat(1_000_000)]) {
    expect(knownMethod(made)).toBe('other');
  }
});
