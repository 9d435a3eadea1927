import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { McpServer as Server12 } from 'sdk-1.12/server/mcp.js';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type { CallContext } from '../../../src/server/sdk/call-context.ts';
import type { AttachableServer } from '../../../src/server/sdk/protocol-server.ts';
import type { Connectable } from '../../../src/testing/connect-pair.ts';
import type { SdkName } from './fixtures/build-parts.ts';

export type { SdkName };

export interface ToolInput {
  readonly path?: string | undefined;
  readonly cwd?: string | undefined;
  readonly project?: string | undefined;
}

export type ToolRun = (context: CallContext, input: ToolInput) => unknown;

/** A server of some SDK, with what differs between them put away. */
export interface AnyServer {
  readonly server: AttachableServer & Connectable;
  tool(name: string, run: ToolRun): void;
}

export const sdkNames: readonly SdkName[] = ['v2', 'v1', 'v1.12'];

const identity = { name: 'server-under-test', version: '1.0.0' };

/** Real servers, each of its own SDK. */
export const createServer: { readonly [Name in SdkName]: (options?: object) => AnyServer } = {
  v2(options) {
    const server = new ServerV2(identity, options);
    const inputSchema = z.object({
      path: z.string().optional(),
      cwd: z.string().optional(),
      project: z.string().optional(),
    });
    return {
      server,
      tool: (name, run) =>
        void server.registerTool(name, { inputSchema }, async (input, context) =>
          toResult(await run(context, input)),
        ),
    };
  },
  v1(options) {
    const server = new ServerV1(identity, options);
    const inputSchema = {
      path: z.string().optional(),
      cwd: z.string().optional(),
      project: z.string().optional(),
    };
    return {
      server,
      tool: (name, run) =>
        void server.registerTool(name, { inputSchema }, async (input, context) =>
          toResult(await run(context, input)),
        ),
    };
  },
  'v1.12'(options) {
    const server = new Server12(identity, options);
    // Its types and those of this version of Zod are too much for each other.
    const addTool = server.tool.bind(server) as unknown as AddTool;
    const shape = {
      path: z3.string().optional(),
      cwd: z3.string().optional(),
      project: z3.string().optional(),
    };
    return {
      server,
      tool: (name, run) =>
        void addTool(name, shape, async (input, context) => toResult(await run(context, input))),
    };
  },
};

type AddTool = (
  name: string,
  shape: object,
  run: (input: ToolInput, context: CallContext) => unknown,
) => unknown;

interface TextResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
}

/** What a tool says, as text; a result stays what it is. */
function toResult(value: unknown): TextResult {
  if (typeof value === 'object' && value !== null && ('content' in value || 'resultType' in value))
    return value as TextResult;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return { content: [{ type: 'text', text }] };
}
