import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { knownMethod } from './known-method.ts';
import { isFields, type RpcRequest, type RpcResponse } from './json-rpc.ts';

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
