import type { z } from 'zod';
import type { Operation } from '../../boundary/step/operation.ts';
import type { ErrorCode } from '../../errors.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import type { PathCheck } from '../../server/settings/path-check.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';
import type { Location } from '../../workspace/workspace.ts';

/**
 * The interface of a tool to its surroundings during one call. Paths are absolute, relative to the project, or file
 * URIs.
 */
export interface ToolCall {
  workspace(): Promise<CallWorkspace>;
  /** Performs an access as in `access.ts`. */
  access<Result>(
    request: AccessRequest,
    act: (location: Location) => Result | Promise<Result>,
  ): Promise<Result>;
  /**
   * The same for a tool: `~` is the home of the user who runs the server, and a refusal names the path as it was
   * asked, where a boundary speaks of paths relative to its root.
   */
  reach<Result>(
    request: ReachRequest,
    act: (location: Location) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Returns what `access` would decide, without asking a person and without doing anything. */
  check(request: AccessRequest): Promise<PathCheck>;
  /** Characters of text that the result may have; a longer one is cut, and says how to go on. */
  readonly room: number;
  readonly signal: AbortSignal;
  /** Does nothing if the client did not request progress. */
  progress(done: number, total?: number, message?: string): void;
}

/** The access that a tool needs. */
export interface ReachRequest extends AccessRequest {
  /** Advice after a refusal, if the tool knows better than the error code. */
  readonly remedies?: { readonly [Code in ErrorCode]?: string };
}

/** One block of a result, as in the protocol. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** The result of a tool: for a model, and as data. */
export interface ToolResult<Output = Readonly<Record<string, unknown>>> {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Output;
}

/** Hints for clients, as in the protocol. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/**
 * The kind of a tool's result. `text`: many clients show a model the text and the structured content, or only the
 * latter, so a text is sent once. `data`: a program can use it, and both are sent. `data on request`: if the argument
 * `structured` says so.
 */
export type AnswerKind = 'text' | 'data' | 'data on request';

/** A tool as plain data: its description, schemas and implementation. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The operations it needs; without all of them it is not offered. */
  readonly operations: readonly Operation[];
  readonly annotations: ToolAnnotations;
  readonly answers: AnswerKind;
  /** Whether its computing is small whatever the input: no pattern, comparison or parser. Such a call is not watched. */
  readonly isBrief: boolean;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Takes the parsed `input`. Refuses with a `RootwardError`. */
  readonly run: (input: unknown, call: ToolCall) => Promise<ToolResult>;
}

/** A tool before its types are erased. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  /** Its effect on files: `read` has none, `add` never destroys anything, `change` may. */
  readonly effect: keyof typeof effects;
  /** Whether a second call with the same input changes nothing more. */
  readonly idempotent?: boolean;
  /** `text` by default. */
  readonly answers?: AnswerKind;
  /** Not by default. */
  readonly isBrief?: boolean;
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
 * Creates a tool from its definition: the types of `run` come from the schemas, the annotations from the effect.
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
 *     await call.reach({ operation: 'write', path }, create);
 *     return { content: [], structuredContent: {} };
 *   },
 * });
 * tool.annotations // → { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
 * ```
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  effect,
  idempotent,
  answers = 'text',
  isBrief = false,
  run,
  ...description
}: ToolDefinition<Input, Output>): Tool {
  const repeat = effect === 'read' ? {} : { idempotentHint: idempotent ?? false };
  return {
    ...description,
    answers,
    isBrief,
    annotations: { ...effects[effect], ...repeat, openWorldHint: false },
    // A server parses the input before it runs the tool.
    run: run as Tool['run'],
  };
}
