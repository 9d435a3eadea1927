import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { z } from 'zod';
import { type Operation, operations } from '../boundary/step/operation.ts';
import { RootwardError } from '../errors.ts';
import { QuestionPending } from '../server/call/rounds.ts';
import type { CallContext } from '../server/sdk/call-context.ts';
import { refusalResult } from '../server/settings/refusal-result.ts';
import { allTools } from './all-tools.ts';
import { limits } from './tool/answer-limits.ts';
import { fitsMessage } from './tool/answer.ts';
import { createStallWatch, type StallWatch } from './tool/stall-watch.ts';
import { createToolCall, type ToolWorkspace } from './tool/tool-call.ts';
import type { ContentBlock, Tool, ToolAnnotations } from './tool/tool.ts';

/** What a server is told about a tool. */
export interface ToolConfig {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly outputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
}

/** What goes back to the client. */
export interface CallResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** An `McpServer` of either SDK, as far as it is used; its method is generic, and different in each. */
export interface ToolServer {
  readonly registerTool: (...args: never) => unknown;
}

export interface RegisterToolsOptions {
  /** Which ones; all of ours by default. */
  readonly tools?: readonly Tool[];
  /** What can be allowed at all: tools that need more are not offered. Everything by default. */
  readonly operations?: readonly Operation[];
  /** Gets the last word on what a client reads about a tool. */
  readonly describe?: (tool: Tool) => string;
  /** Gets what went wrong inside, which no client sees; written to stderr by default. */
  readonly report?: (failure: ToolFailure) => void;
}

/** Something that nobody foresaw. */
export interface ToolFailure {
  /** The client is told this much, so that the two can be put together. */
  readonly id: string;
  readonly tool: string;
  readonly error: unknown;
}

/**
 * Offers tools on a server. Every file that they touch goes through `rootward`, so that its roots and rules
 * hold. Returns what the server made of each, by name, to change or remove it later.
 *
 * @example
 * ```ts
 * import { McpServer } from '@modelcontextprotocol/server';
 * import { attach } from 'rootward/server';
 * const server = new McpServer({ name: 'files', version: '1.0.0' });
 * const rootward = attach(server, { ceiling: [process.cwd()] });
 * const offered = registerTools(server, rootward, { operations: ['read', 'list'] });
 * offered.has('read_text_file') // → true
 * offered.has('write_file') // → false
 * await rootward.close();
 * ```
 */
export function registerTools<Server extends ToolServer>(
  server: Server,
  rootward: ToolWorkspace,
  options: RegisterToolsOptions = {},
): ReadonlyMap<string, ReturnType<Server['registerTool']>> {
  const {
    tools = allTools,
    operations: possible = operations,
    describe = ({ description }) => description,
    report,
  } = options;
  const offered = tools.filter((tool) => tool.operations.every((needed) => possible.includes(needed)));
  const stalls = createStallWatch();
  return new Map(
    offered.map((tool) => {
      const config = configOf(tool, describe(tool));
      const run: RunTool = (input, context) =>
        runTool(tool, input, { rootward, context, stalls, ...(report && { report }) });
      return [tool.name, register(server, tool.name, config, run)] as const;
    }),
  );
}

type RunTool = (input: unknown, context: CallContext) => Promise<CallResult>;

/** The one place where the two SDKs are taken to agree at run time. */
function register<Server extends ToolServer>(
  server: Server,
  ...args: readonly [name: string, config: ToolConfig, run: RunTool]
): ReturnType<Server['registerTool']> {
  return Reflect.apply(server.registerTool, server, args) as ReturnType<Server['registerTool']>;
}

function configOf({ title, input, output, annotations }: Tool, description: string): ToolConfig {
  return { title, description, inputSchema: input, outputSchema: output, annotations };
}

export interface ToolRun {
  readonly rootward: ToolWorkspace;
  readonly context: CallContext;
  readonly stalls: StallWatch;
  readonly report?: (failure: ToolFailure) => void;
}

/** Runs a tool for one call; a refusal is a result that a model can read. */
export async function runTool(tool: Tool, input: unknown, arrival: ToolRun): Promise<CallResult> {
  const { rootward, context, stalls, report = writeToStderr } = arrival;
  const watched = stalls.enter(tool.name);
  const call = createToolCall(rootward, context, watched);
  try {
    const result = await watched.run(() => tool.run(input, call));
    if (!fitsMessage(result))
      throw new RootwardError('RESULT_TOO_LARGE', { tool: tool.name, limit: limits.message });
    return { content: [...result.content], structuredContent: result.structuredContent };
  } catch (error) {
    if (RootwardError.is(error)) return refused(error);
    // Whoever cancelled hears nothing more of it; a question for the client is put by whoever runs calls.
    if (call.signal.aborted || error instanceof QuestionPending) throw error;
    const id = randomUUID();
    report({ id, tool: tool.name, error });
    return {
      isError: true,
      content: [{ type: 'text', text: `Cannot run ${tool.name}: it failed inside (${id})` }],
    };
  } finally {
    watched.leave();
  }
}

function writeToStderr({ id, tool, error }: ToolFailure): void {
  process.stderr.write(`${tool} failed (${id}): ${inspect(error)}\n`);
}

/**
 * Clients compare structured content with the schema of the tool, some of them even where it is an error; so
 * the data of a refusal stands beside it.
 */
function refused(error: RootwardError): CallResult {
  const { content, isError, _meta } = refusalResult(error, { hasOutputSchema: true });
  return { isError, content: [...content], _meta: { ..._meta } };
}
