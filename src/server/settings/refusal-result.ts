import type { AuditEntry } from '../../audit/entry.ts';
import { describeChanges } from '../../audit/stderr-sink.ts';
import { fieldsOf } from '../../base/fields.ts';
import { quote } from '../../base/quote.ts';
import type { RootwardError } from '../../errors.ts';

/** A tool result that fits every revision and the types of both SDKs, which want it mutable. */
export interface OwnToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/**
 * Turns a refusal into a tool result: the model reads the request, the reason and the next step. The data is in
 * `_meta`, and also in the structured content unless the tool has an output schema, because clients validate that
 * content even for errors.
 *
 * @example
 * ```ts
 * const error = new RootwardError('CLOSED', { root: 'app' });
 * refusalResult(error).isError // → true
 * refusalResult(error).structuredContent.error.code // → 'CLOSED'
 * ```
 */
export function refusalResult(
  error: RootwardError,
  { hasOutputSchema = false }: { readonly hasOutputSchema?: boolean } = {},
): OwnToolResult & { isError: true } {
  const data = error.toJSON();
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.message}\n${error.hint}` }],
    ...(hasOutputSchema ? {} : { structuredContent: { error: data } }),
    _meta: { 'rootward/error': data },
  };
}

/** Turns data into a tool result: structured for programs, and in words for a model. */
export function dataResult(data: Readonly<Record<string, unknown>>, text: string): OwnToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } };
}

/** The same result for a revision without structured content. */
export function withoutStructure({ structuredContent: _data, ...result }: OwnToolResult): OwnToolResult {
  return result;
}

/** Turns a refusal into a protocol error, for prompts, resources and lists. Both SDKs forward its code and data. */
export function refusalAsProtocolError(error: RootwardError): Error {
  const invalidParams = -32602;
  return Object.assign(new Error(`${error.message}. ${error.hint}`), {
    code: invalidParams,
    data: error.toJSON(),
  });
}

/** Adds the changes that a failed call has already made, because its reader is likely to try again. */
export function withChanges(answer: unknown, changed: readonly AuditEntry[]): unknown {
  const { isError, content, ...rest } = fieldsOf(answer);
  if (isError !== true || !Array.isArray(content)) return answer;
  const text = wordsFor(changed);
  const places = changed.map(({ root, changed: changes }) => ({ root, changes }));
  const meta = { ...fieldsOf(rest['_meta']), 'rootward/changed': places };
  // In the first text, because some clients show no other.
  const [first, ...others]: readonly unknown[] = content;
  const { text: error, ...block } = fieldsOf(first);
  const described =
    typeof error === 'string'
      ? [{ ...block, text: `${error}\n${text}` }, ...others]
      : [{ type: 'text', text }, ...content];
  return { ...rest, isError, content: described, _meta: meta };
}

/** The same for a protocol error, which keeps its code. */
export function errorWithChanges(error: unknown, changed: readonly AuditEntry[]): unknown {
  if (!(error instanceof Error) || changed.length === 0) return error;
  const { code, data } = fieldsOf(error);
  return Object.assign(new Error(`${error.message}. ${wordsFor(changed)}`, { cause: error }), {
    ...(code === undefined ? {} : { code }),
    ...(data === undefined ? {} : { data }),
  });
}

function wordsFor(changed: readonly AuditEntry[]): string {
  const done = changed.map(
    ({ root = '', changed: changes = [] }) => `${describeChanges(changes)} in ${quote(root)}`,
  );
  return `Before this error the call had ${done.join('; it had ')}. Look at what is there before you try again.`;
}
