import type { z } from 'zod';
import type { Operation } from '../../boundary/step/operation.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import type { PathCheck } from '../../server/settings/path-check.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';
import type { Location } from '../../workspace/workspace.ts';

/** What a tool may use of the world during one call. Paths are absolute, relative to the project, or file URIs. */
export interface ToolCall {
  workspace(): Promise<CallWorkspace>;
  /** The sentence of `access.ts`. */
  access<Result>(
    request: AccessRequest,
    act: (location: Location) => Result | Promise<Result>,
  ): Promise<Result>;
  /** What `access` would decide, without asking a person and without doing anything. */
  check(request: AccessRequest): Promise<PathCheck>;
  readonly signal: AbortSignal;
  /** Does nothing if the client did not ask for it. */
  progress(done: number, total?: number, message?: string): void;
}

/** One piece of what a tool answers, as the protocol has it. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** What a tool answers: for a model, and the same as data. */
export interface ToolResult<Output = Readonly<Record<string, unknown>>> {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Output;
}

/** What a client should know before it calls, as hints of the protocol. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as plain data: everything that a server has to say about it, and what it does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Without all of these it can do nothing, and need not be offered. */
  readonly operations: readonly Operation[];
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Wants what `input` parsed. Refuses by `RootwardError`. */
  readonly run: (input: unknown, call: ToolCall) => Promise<ToolResult>;
}

/** A tool before its types are forgotten. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  /** What it does to files: `read` nothing, `add` never destroys, `change` may. */
  readonly effect: keyof typeof effects;
  /** Whether a second call with the same input changes nothing more. */
  readonly idempotent?: boolean;
  readonly input: Input;
  readonly output: Output;
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolResult<z.output<Output>>>;
}

const effects = {
  read: { readOnlyHint: true },
  add: { readOnlyHint: false, destructiveHint: false },
  change: { readOnlyHint: false, destructiveHint: true },
} as const;

/**
 * Makes a tool of its definition: the types of `run` come from its schemas, its annotations from its effect.
 *
 * @example
 * ```ts
 * import { z } from 'zod';
 * const tool = defineTool({
 *   name: 'touch',
 *   title: 'Touch',
 *   description: 'Makes an empty file',
 *   operations: ['write'],
 *   effect: 'add',
 *   input: z.object({ path: z.string() }),
 *   output: z.object({}),
 *   async run({ path }, call) {
 *     const create = ({ boundary, relative }) => boundary.write(relative, '', { exclusive: true });
 *     await call.access({ operation: 'write', path }, create);
 *     return { content: [], structuredContent: {} };
 *   },
 * });
 * tool.annotations // → { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
 * ```
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  effect,
  idempotent,
  run,
  ...said
}: ToolDefinition<Input, Output>): Tool {
  const repeat = effect === 'read' ? {} : { idempotentHint: idempotent ?? false };
  return {
    ...said,
    annotations: { ...effects[effect], ...repeat, openWorldHint: false },
    // A server parses before it runs: the types are those of the schema.
    run: (input, call) => run(input as z.output<Input>, call),
  };
}
