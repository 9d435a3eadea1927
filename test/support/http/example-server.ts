import {
  inputRequired,
  inputResponse,
  McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { HttpConnection } from '../../../src/http/exchange/server-like.ts';

/** What the tests watch and decide from outside. */
export interface Stage {
  readonly built: HttpConnection[];
  /** Calls of `wait` that are under way, and how they ended. */
  readonly waits: { readonly begun: string[]; readonly aborted: string[] };
  /** Resolves calls of `wait`. */
  release: (() => void)[];
}

export function newStage(): Stage {
  return { built: [], waits: { begun: [], aborted: [] }, release: [] };
}

const text = { text: z.string() };
const nothing = z.object({});
const size = { count: z.number(), bytes: z.number() };

const say = (value: unknown): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

/** A server as an author would write it, for one request: tools that answer, ask, wait and talk too much. */
export function exampleServer(stage: Stage): (connection: HttpConnection) => McpServer {
  return (connection) => {
    stage.built.push(connection);
    const server = new McpServer(
      { name: 'example', version: '1' },
      {
        supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'],
        capabilities: { logging: {} },
        requestState: { verify: connection.requestState.verify },
      },
    );
    addTools(server, connection, stage);
    return server;
  };
}

function addTools(server: McpServer, connection: HttpConnection, stage: Stage): void {
  server.registerTool('echo', { inputSchema: z.object(text) }, ({ text }) => say(text));
  server.registerTool('who', { inputSchema: nothing }, () =>
    say({
      session: connection.sessionId,
      client: server.server.getClientVersion()?.name,
      era: connection.era,
    }),
  );
  server.registerTool('roots', { inputSchema: nothing }, async (_args, ctx) => {
    if (connection.era === 'legacy')
      return say(await ctx.mcpReq.send({ method: 'roots/list' }, { timeout: 5_000 }));
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'roots');
    if (answer.kind === 'roots') return say({ roots: answer.roots, state: ctx.mcpReq.requestState() });
    return inputRequired({
      inputRequests: { roots: inputRequired.listRoots() },
      requestState: connection.requestState.seal({ asked: 'roots' }),
    });
  });
  server.registerTool('wait', { inputSchema: z.object(text) }, async ({ text }, ctx) => {
    stage.waits.begun.push(text);
    await new Promise<void>((resolve) => {
      stage.release.push(resolve);
      ctx.mcpReq.signal.addEventListener('abort', () => {
        stage.waits.aborted.push(text);
        resolve();
      });
    });
    return say('released');
  });
  server.registerTool('talk', { inputSchema: z.object(size) }, async ({ count, bytes }, ctx) => {
    const data = 'x'.repeat(bytes);
    for (let index = 0; index < count; index += 1) {
      if (ctx.mcpReq.signal.aborted) break;
      await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      if (index % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return say('done');
  });
  server.registerTool('large', { inputSchema: z.object(size) }, ({ bytes }) => say('x'.repeat(bytes)));
  server.registerTool('remember', { inputSchema: z.object(text) }, async ({ text }) => {
    await connection.memory.keepSwitched({ text });
    return say('kept');
  });
  server.registerTool('memory', { inputSchema: nothing }, () => say(connection.memory.current()));
}
