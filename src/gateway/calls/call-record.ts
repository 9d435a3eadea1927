import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditSink } from '../../audit/sink.ts';
import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { isFileUri } from '../../path/file-uri.ts';
import type { Decision } from '../../policy/decision.ts';
import type { ClientCall } from '../relay/client-calls.ts';
import { scanObject, valueAt } from '../relay/scan-message.ts';
import { valueIn, type WireFrame } from '../relay/wire-frame.ts';

/** Writes down what becomes of the calls of one connection. */
export class CallLog {
  readonly #audit: AuditSink;
  readonly #origin: CallOrigin;
  readonly #failed: (reason: string) => void;

  /** `failed` is told why an entry could not be written; the call has been made by then. */
  constructor(audit: AuditSink, origin: CallOrigin, failed: (reason: string) => void) {
    this.#audit = audit;
    this.#origin = origin;
    this.#failed = failed;
  }

  answered(call: ClientCall, answer: WireFrame): void {
    // A call of 2026-07-28 that ends with questions goes on when the client repeats it.
    if (valueIn(answer, 'result', 'resultType') !== 'input_required') this.#write(call, outcomeIn(answer));
  }

  cancelled(call: ClientCall): void {
    this.#write(call, { outcome: 'cancelled' });
  }

  /** The server ended before it answered. */
  lost(call: ClientCall): void {
    this.#write(call, { outcome: 'failed', code: 'SERVER_ENDED' });
  }

  refused(call: ClientCall, decision: Decision): void {
    this.#write({ ...call, decision }, { outcome: 'refused', code: 'DENIED' });
  }

  #write(call: ClientCall, end: CallOutcome): void {
    if (!recorded.has(call.method)) return;
    const record = async (): Promise<void> => this.#audit.record(recordOf(call, end, this.#origin));
    record().catch((error: unknown) => this.#failed(error instanceof Error ? error.message : String(error)));
  }
}

/** The requests that the audit log names. */
const recorded: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

export type CallOutcome = Pick<AuditEntry, 'outcome' | 'code'>;

/** The client and the server of a call. */
export interface CallOrigin extends Pick<AuditEntry, 'caller' | 'client' | 'session'> {
  readonly server: string;
}

/**
 * The audit entry of a call through the gateway: the tool, the paths among its arguments, and how it ended. Other
 * arguments are left out, because they may hold anything.
 */
function recordOf(call: ClientCall, end: CallOutcome, { server, ...origin }: CallOrigin): AuditEntry {
  const [name, uri] = [valueIn(call.frame, 'params', 'name'), valueIn(call.frame, 'params', 'uri')];
  const { verdict, rule, reason } = call.decision ?? unjudged;
  const isTool = call.method === 'tools/call';
  const [path = '', ...others] = typeof uri === 'string' ? [uri] : pathsIn(shortArguments(call.frame));
  const detail = [`server ${server}`, ...others].join(', ');
  return {
    time: new Date().toISOString(),
    ...origin,
    ...(typeof name === 'string' && { tool: isTool ? name : `prompt ${name}` }),
    event: 'call',
    operation: isTool ? 'execute' : 'read',
    path,
    detail,
    verdict,
    rule,
    reason,
    ...end,
    duration: performance.now() - call.started,
    revision: 0,
  };
}

const unjudged: Decision = { verdict: 'allow', rule: 'allow:call', reason: 'no rule is against it' };

/** How a call ended, by the answer of the server. */
function outcomeIn(answer: WireFrame): CallOutcome {
  if (answer.fields.has('error'))
    return { outcome: 'failed', code: JSON.stringify(valueIn(answer, 'error', 'code') ?? 0) };
  return { outcome: valueIn(answer, 'result', 'isError') === true ? 'failed' : 'done' };
}

/** Bytes of arguments that are parsed as a whole, and of each value in longer ones. */
const parsed = { whole: 64 * 1024, each: 4_096 } as const;

/** The arguments of a call; of very long ones the short values only, because a path is short. */
function shortArguments({ bytes, fields }: WireFrame): unknown {
  const params = fields.get('params');
  const span = params && scanObject(bytes, params.start)?.get('arguments');
  if (span === undefined || span.end - span.start <= parsed.whole) return valueAt(bytes, span);
  const short = [...(scanObject(bytes, span.start) ?? [])].filter(
    ([, { start, end }]) => end - start <= parsed.each,
  );
  return Object.fromEntries(short.map(([name, value]) => [name, valueAt(bytes, value)]));
}

/** Names of arguments that hold paths. */
const pathLike = /path|file|dir|folder|root|cwd|uri/i;

/** How many paths are found, how deep, and how long each may be. */
const limits = { paths: 8, depth: 4, length: 1_024 } as const;

/**
 * The paths among the arguments of a call: absolute paths, file URIs, and texts under a name like `path`.
 *
 * @example
 * ```ts
 * pathsIn({ path: 'a.txt', content: 'x', edits: [{ file: '/b' }] }) // → ['a.txt', '/b']
 * ```
 */
export function pathsIn(args: unknown): readonly string[] {
  const found: string[] = [];
  const look = (name: string, value: unknown, depth: number): void => {
    if (found.length === limits.paths || depth > limits.depth) return;
    if (typeof value === 'string' && isPath(name, value)) found.push(value);
    else if (Array.isArray(value)) for (const item of value) look(name, item, depth + 1);
    else if (isFields(value)) lookInto(value, depth);
  };
  const lookInto = (fields: Fields, depth: number): void => {
    for (const [name, value] of Object.entries(fields)) look(name, value, depth + 1);
  };
  lookInto(fieldsOf(args), 0);
  return found;
}

function isPath(name: string, value: string): boolean {
  if (value.length === 0 || value.length > limits.length || value.includes('\n')) return false;
  return pathLike.test(name) || isFileUri(value);
}
