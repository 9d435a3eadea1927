import type { z } from 'zod';
import { type Operation, operations } from '../boundary/step/operation.ts';
import type { CallContext } from '../server/sdk/call-context.ts';
import { allTools } from './all-tools.ts';
import { type AnswerForm, hasOutputSchema, referenceForm, usualForm } from './tool/answer.ts';
import { createStallWatch } from './tool/stall-watch.ts';
import { type CallResult, type ToolFailure, runTool, type ToolWorkspace } from './tool/tool-call.ts';
import type { Tool, ToolAnnotations } from './tool/tool.ts';

/** The configuration of a tool, as registered on a server. */
export interface ToolConfig {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** Only where the tool sends structured content. */
  readonly outputSchema?: z.ZodObject;
  readonly annotations: ToolAnnotations;
}

/** The part of an `McpServer` of either SDK that is used; its generic method differs in each. */
export interface ToolServer {
  readonly registerTool: (...args: never) => unknown;
}

export interface RegisterToolsOptions {
  /** The tools to offer; all of ours by default. */
  readonly tools?: readonly Tool[];
  /** Operations that can be allowed at all: tools that need others are not offered. All by default. */
  readonly operations?: readonly Operation[];
  /** Returns the description of a tool for the client. */
  readonly describe?: (tool: Tool) => string;
  /** Whether every tool sends structured content and whole texts, as the reference file server does. */
  readonly compat?: boolean;
  /** Characters of text in one result; 100,000 by default. */
  readonly maxAnswer?: number;
  /** Receives internal errors, which clients do not see; writes to stderr by default. */
  readonly report?: (failure: ToolFailure) => void;
}

/**
 * Offers tools on a server. All file access goes through `rootward`, so that its roots and rules apply. Returns the
 * registered tools by name, to change or remove them later.
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
  const form = formOf(options);
  const offered = tools.filter((tool) => tool.operations.every((needed) => possible.includes(needed)));
  const stalls = createStallWatch();
  return new Map(
    offered.map((tool) => {
      const config = configOf(tool, describe(tool), form);
      const run: RunTool = (input, context) =>
        runTool(tool, input, { rootward, context, stalls, form, ...(report && { report }) });
      return [tool.name, register(server, tool.name, config, run)] as const;
    }),
  );
}

function formOf({ compat = false, maxAnswer }: RegisterToolsOptions): AnswerForm {
  return { ...(compat ? referenceForm : usualForm), ...(maxAnswer !== undefined && { maxAnswer }) };
}

type RunTool = (input: unknown, context: CallContext) => Promise<CallResult>;

/** The only place that relies on both SDKs behaving alike at run time. */
function register<Server extends ToolServer>(
  server: Server,
  ...args: readonly [name: string, config: ToolConfig, run: RunTool]
): ReturnType<Server['registerTool']> {
  return Reflect.apply(server.registerTool, server, args) as ReturnType<Server['registerTool']>;
}

function configOf(tool: Tool, description: string, form: AnswerForm): ToolConfig {
  const { title, input, output, annotations } = tool;
  return {
    title,
    description,
    inputSchema: input,
    ...(hasOutputSchema(tool, form) && { outputSchema: output }),
    annotations,
  };
}
