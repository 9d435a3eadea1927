import { type Context, context, propagation, type TextMapPropagator } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { traceCall, withTrace } from './trace-call.ts';

const key = Symbol.for('traceparent');

/** Carries one field, as a propagator of W3C does. */
const propagator: TextMapPropagator = {
  inject(active: Context, carrier, setter) {
    const value = active.getValue(key);
    if (typeof value === 'string') setter.set(carrier, 'traceparent', value);
  },
  extract: (active, carrier, getter) => active.setValue(key, getter.get(carrier, 'traceparent')),
  fields: () => ['traceparent'],
};

/** Contexts of this moment: enough for what is not asynchronous. */
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

test('the trace that a client names in _meta goes on with what the client is asked', () => {
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
