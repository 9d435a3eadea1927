import {
  context,
  type Meter,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isFields } from '../../base/fields.ts';
import type { SessionStore } from '../../sessions/record/session-store.ts';
import type { EngineCommand } from '../../sessions/redis/engine.ts';
import { type RpcRequest, type RpcResponse } from './json-rpc.ts';

/** What is counted. Without an SDK of OpenTelemetry in the process nothing happens, and nothing is kept. */
export interface EndpointMeters {
  called(call: { readonly method: string; readonly ok: boolean; readonly milliseconds: number }): void;
  /** A question to the client, or the same one again. */
  asked(method: string, again: boolean): void;
  /** A call found the roots of its client known, or not. */
  knewRoots(hit: boolean): void;
  /** Something else that happened: a refusal, the beginning or the end of a session. */
  happened(kind: string): void;
  engine(command: EngineCommand): void;
}

/**
 * Counts through the API of OpenTelemetry.
 *
 * @example
 * ```ts
 * const meters = createMeters();
 * meters.asked('roots/list', false) // → undefined
 * ```
 */
export function createMeters(meter: Meter = metrics.getMeter('rootward')): EndpointMeters {
  const calls = meter.createCounter('rootward.calls', { description: 'Calls that were answered' });
  const durations = meter.createHistogram('rootward.call.duration', { unit: 'ms' });
  const asks = meter.createCounter('rootward.asks', { description: 'Questions to clients' });
  const roots = meter.createCounter('rootward.roots.lookups', {
    description: 'Roots that were known, or not',
  });
  const events = meter.createCounter('rootward.events', { description: 'Refusals, sessions, losses' });
  const engine = meter.createHistogram('rootward.engine.duration', { unit: 'ms' });
  return {
    called({ method, ok, milliseconds }) {
      const known = knownMethod(method);
      calls.add(1, { method: known, ok });
      durations.record(milliseconds, { method: known });
    },
    asked: (method, again) => asks.add(1, { method: knownMethod(method), again }),
    knewRoots: (hit) => roots.add(1, { hit }),
    happened: (kind) => events.add(1, { kind }),
    engine: ({ name, milliseconds, ok }) => engine.record(milliseconds, { command: name, ok }),
  };
}

/** How many sessions there are, on all nodes together, asked for when somebody reads. Returns how to stop. */
export function meterSessions(
  store: Pick<SessionStore, 'count'>,
  meter: Meter = metrics.getMeter('rootward'),
): () => void {
  const gauge = meter.createObservableGauge('rootward.sessions', { description: 'Sessions of all nodes' });
  const observe: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    const count = await store.count().catch(() => undefined);
    if (count !== undefined) result.observe(count);
  };
  gauge.addCallback(observe);
  return () => gauge.removeCallback(observe);
}

/** A call as a span, beneath the one that the client named in `_meta`. */
export interface CallTrace {
  /** Whatever is begun in here belongs to the call. */
  run<Result>(act: () => Result): Result;
  end(response?: RpcResponse): void;
}

/** Without an SDK of OpenTelemetry in the process this does nothing. */
export function traceCall({ method, params }: RpcRequest): CallTrace {
  const meta = params?.['_meta'];
  const parent = propagation.extract(context.active(), isFields(meta) ? meta : {});
  const name = spanName(method, params?.['name']);
  const span = trace.getTracer('rootward').startSpan(name, { kind: SpanKind.SERVER }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    run: (act) => context.with(inside, act),
    end(response) {
      if (response === undefined || 'error' in response) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Both come from the client: what cannot be a name of ours is no part of a span's. */
function spanName(method: string, tool: unknown): string {
  const named = method === 'tools/call' && typeof tool === 'string' && /^[\w./-]{1,64}$/.test(tool);
  return named ? `${method} ${tool}` : knownMethod(method);
}

/** A question to the client, with the trace that it belongs to. */
export function withTrace(request: RpcRequest): RpcRequest {
  const carrier: Record<string, unknown> = {};
  propagation.inject(context.active(), carrier);
  if (Object.keys(carrier).length === 0) return request;
  const meta = request.params?.['_meta'];
  const traced = { ...(isFields(meta) ? meta : {}), ...carrier };
  return { ...request, params: { ...request.params, _meta: traced } };
}

/** Every request that either revision knows, in either direction. */
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
 * A method as a label: whoever counts keeps a row for each, so that a client must not be able to make up as many
 * as it likes.
 */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
