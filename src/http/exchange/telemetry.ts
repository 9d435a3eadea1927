import { metrics, type Meter } from '@opentelemetry/api';
import type { EngineCommand } from '../../sessions/redis/engine.ts';
import type { SessionStore } from '../../sessions/record/session-store.ts';
import { knownMethod } from './known-method.ts';

/** What is counted. Without an SDK of OpenTelemetry in the process nothing happens, and nothing is kept. */
export interface Meters {
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
export function createMeters(meter: Meter = metrics.getMeter('rootward')): Meters {
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
