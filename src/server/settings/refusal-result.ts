import type { RootwardError } from '../../errors.ts';
import { escapeJson } from '../../base/quote.ts';

/** The result of a tool, in the form of every revision, and with the types of both SDKs: they want it changeable. */
export interface OwnToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/**
 * A refusal as the result of a tool: the model reads what was asked, why not, and what to do next. Its data is
 * in `_meta`, and in the structured content unless the tool has an output schema: clients compare what is there
 * with the schema, even where it is an error.
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

/** Data as the result of a tool: structured, and as text for clients that know no structure. */
export function dataResult(data: Readonly<Record<string, unknown>>): OwnToolResult {
  return {
    content: [{ type: 'text', text: escapeJson(JSON.stringify(data, undefined, 2)) }],
    structuredContent: { ...data },
  };
}

/** A refusal where there is no result to put it into: prompts, resources, lists. Both SDKs send code and data on. */
export function refusalAsProtocolError(error: RootwardError): Error {
  const invalidParams = -32602;
  return Object.assign(new Error(`${error.message}. ${error.hint}`), {
    code: invalidParams,
    data: error.toJSON(),
  });
}
