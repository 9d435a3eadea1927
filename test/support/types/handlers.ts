/**
 * Compiled, never run: handlers keep the types that each SDK infers for them, with `attach` beside them. `npm run
 * types` checks it under the strictest options that an author may have.
 */
import type { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import type { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { attach, projectArgument, refusalResult } from '../../../src/server/index.ts';
import type { RootwardError } from '../../../src/index.ts';

declare const refusal: RootwardError;

export function onV2(server: ServerV2): void {
  const rootward = attach(server, { argument: true });
  server.registerTool('plain', {}, async (ctx) => {
    ctx.mcpReq.signal satisfies AbortSignal;
    const { project, roots } = await rootward.workspace(ctx);
    return { content: [{ type: 'text', text: `${project.name} ${roots.length}` }] };
  });
  const inputSchema = z.object({ query: z.string(), ...projectArgument(z) });
  server.registerTool('typed', { inputSchema }, async ({ query, cwd }, ctx) => {
    query satisfies string;
    cwd satisfies string | undefined;
    if (rootward.contains(ctx, query) !== true) return refusalResult(refusal);
    return { content: [{ type: 'text', text: query }] };
  });
  attach(server.server);
}

export function onV1(server: ServerV1): void {
  const rootward = attach(server, { argument: true });
  server.registerTool('plain', {}, async (extra) => {
    extra.signal satisfies AbortSignal;
    const { project } = await rootward.workspace(extra);
    return { content: [{ type: 'text', text: project.name }] };
  });
  const inputSchema = { query: z.string(), ...projectArgument(z) };
  server.registerTool('typed', { inputSchema }, async ({ query, cwd }, extra) => {
    query satisfies string;
    cwd satisfies string | undefined;
    if (rootward.contains(extra, query) !== true) return refusalResult(refusal);
    return { content: [{ type: 'text', text: query }] };
  });
  attach(server.server);
}
