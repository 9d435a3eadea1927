import {
  context,
  type Meter,
  metrics,
  propagation,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isFields } from '../../base/fields.ts';
import type { SessionStore } from '../../sessions/record/session-store.ts';
import type { EngineCommand } from '../../sessions/redis/engine.ts';
import { type RpcRequest, type RpcResponse } from './json-rpc.ts';

/** The metrics of an endpoint. Without an OpenTelemetry SDK in the process they are dropped. */
export interface EndpointMeters {
  countCall(call: { readonly method: string; readonly ok: boolean; readonly milliseconds: number }): void;
  /** A request was sent to the client, for the first time or again. */
  countQuestion(method: string, again: boolean): void;
  /** A call found the roots of its client in the session, or not. */
  countRootsLookup(hit: boolean): void;
  /** Any other event: a refusal, the beginning or the end of a session. */
  countEvent(kind: string): void;
  countCommand(command: EngineCommand): void;
}

/** Creates meters over the OpenTelemetry API. */
export function createMeters(meter: Meter = metrics.getMeter('rootward')): EndpointMeters {
  const calls = meter.createCounter('rootward.calls', { description: 'Answered calls' });
  const durations = meter.createHistogram('rootward.call.duration', { unit: 'ms' });
  const asks = meter.createCounter('rootward.asks', { description: 'Requests to clients' });
  const roots = meter.createCounter('rootward.roots.lookups', {
    description: 'Lookups of roots in the session',
  });
  const events = meter.createCounter('rootward.events', { description: 'Refusals, sessions, lost calls' });
  const engine = meter.createHistogram('rootward.engine.duration', { unit: 'ms' });
  return {
    countCall({ method, ok, milliseconds }) {
      const known = knownMethod(method);
      calls.add(1, { method: known, ok });
      durations.record(milliseconds, { method: known });
    },
    countQuestion: (method, again) => asks.add(1, { method: knownMethod(method), again }),
    countRootsLookup: (hit) => roots.add(1, { hit }),
    countEvent: (kind) => events.add(1, { kind }),
    countCommand: ({ name, milliseconds, ok }) => engine.record(milliseconds, { command: name, ok }),
  };
}

/** Registers a gauge of the sessions on all nodes. Returns a function that removes it. */
export function meterSessions(
  store: Pick<SessionStore, 'count'>,
  meter: Meter = metrics.getMeter('rootward'),
): () => void {
  const gauge = meter.createObservableGauge('rootward.sessions', { description: 'Sessions on all nodes' });
  const observe: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    const count = await store.count().catch(() => undefined);
    if (count !== undefined) result.observe(count);
  };
  gauge.addCallback(observe);
  return () => gauge.removeCallback(observe);
}

/** The span of a call, a child of the one that the client named in `_meta`. */
export interface CallTrace {
  /** Runs `act` with the span active. */
  run<Result>(act: () => Result): Result;
  end(response?: RpcResponse): void;
}

/** Starts the span of a call. Without an OpenTelemetry SDK in the process it does nothing. */
export function traceCall({ method, params }: RpcRequest): CallTrace {
  if (!isTraced()) return untraced;
  const meta = params?.['_meta'];
  const parent = propagation.extract(context.active(), isFields(meta) ? meta : {});
  const name = spanName(method, params?.['name']);
  const span = trace.getTracer(tracerName).startSpan(name, { kind: SpanKind.SERVER }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    run: (act) => context.with(inside, act),
    end(response) {
      if (response === undefined || 'error' in response) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const untraced: CallTrace = { run: (act) => act(), end() {} };

/** Whether anything in this process records spans or passes them on. */
function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  const records = !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(tracerName);
  return Boolean(records) || propagation.fields().length > 0;
}

const tracerName = 'rootward';

/** Method and tool come from the client: use them only if they look like names. */
function spanName(method: string, tool: unknown): string {
  const named = method === 'tools/call' && typeof tool === 'string' && /^[\w./-]{1,64}$/.test(tool);
  return named ? `${method} ${tool}` : knownMethod(method);
}

/** Adds the current trace to a request to the client. */
export function withTrace(request: RpcRequest): RpcRequest {
  const carrier: Record<string, unknown> = {};
  propagation.inject(context.active(), carrier);
  if (Object.keys(carrier).length === 0) return request;
  const meta = request.params?.['_meta'];
  const traced = { ...(isFields(meta) ? meta : {}), ...carrier };
  return { ...request, params: { ...request.params, _meta: traced } };
}

/** Every request of either revision, in both directions. */
const methods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
]);

/**
 * Returns the method as a metric label. Unknown methods share one label, so that a client cannot create an unlimited
 * number of time series.
 */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
