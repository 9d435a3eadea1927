import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputRequired, McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Wire } from '../../../src/testing/wires.ts';

/** A server that asks its client things: the SDK that it is made with, and the eras that it knows. */
export type AskingServer = 'v1' | 'v2 with a handshake' | 'v2 of 2026 alone' | 'v2 of both';

const identity = { name: 'asking', version: '1.0.0' };
const options = { capabilities: { logging: {} } };
const form = {
  message: 'Which colour?',
  requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
} as const;
const thought = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say a word' } }],
  maxTokens: 10,
} as const;

/**
 * Connects a server with the tools `where` (asks for roots), `ask` (asks the person), `think` (asks the model), `both`
 * (the first two at once), `steps` (reports progress) and `plain`.
 */
export const askingServers: Readonly<Record<AskingServer, (wire: Wire) => unknown>> = {
  v1: (wire) => buildV1().connect(wire),
  'v2 with a handshake': (wire) => buildOlderV2().connect(wire),
  'v2 of 2026 alone': (wire) => serveStdio(buildNewerV2, { transport: wire, legacy: 'reject' }),
  'v2 of both': (wire) =>
    serveStdio(({ era }) => (era === 'modern' ? buildNewerV2() : buildOlderV2()), {
      transport: wire,
    }),
};

function text(value: unknown): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

function buildV1(): ServerV1 {
  const server = new ServerV1(identity, options);
  const { server: inner } = server;
  server.registerTool('plain', {}, () => text('plain'));
  server.registerTool('where', {}, async () => text((await inner.listRoots()).roots));
  server.registerTool('ask', {}, async () => text(await inner.elicitInput(form as never)));
  server.registerTool('think', {}, async () => text((await inner.createMessage(thought as never)).content));
  server.registerTool('both', {}, async () => {
    const [said, { roots }] = await Promise.all([inner.elicitInput(form as never), inner.listRoots()]);
    return text([said, roots]);
  });
  server.registerTool('steps', {}, async ({ _meta, sendNotification }) => {
    const { progressToken } = _meta ?? {};
    if (progressToken !== undefined) {
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    return text('steps');
  });
  return server;
}

function buildOlderV2(): ServerV2 {
  const server = new ServerV2(identity, options);
  const { server: inner } = server;
  server.registerTool('plain', {}, () => text('plain'));
  server.registerTool('where', {}, async () => text((await inner.listRoots()).roots));
  server.registerTool('ask', {}, async () => text(await inner.elicitInput(form as never)));
  server.registerTool('think', {}, async () => text((await inner.createMessage(thought as never)).content));
  server.registerTool('both', {}, async () => {
    const [said, { roots }] = await Promise.all([inner.elicitInput(form as never), inner.listRoots()]);
    return text([said, roots]);
  });
  server.registerTool('steps', {}, async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    return text('steps');
  });
  return server;
}

function buildNewerV2(): ServerV2 {
  const server = new ServerV2(identity, options);
  const elicit = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
  const questions = {
    where: { roots: inputRequired.listRoots() },
    ask: { said: elicit },
    think: { thought: { method: 'sampling/createMessage', params: thought } },
    both: { said: elicit, roots: inputRequired.listRoots() },
  } as const;
  server.registerTool('plain', {}, () => text('plain'));
  for (const [name, inputRequests] of Object.entries(questions)) {
    server.registerTool(name, {}, ({ mcpReq }) => {
      const answers = mcpReq.inputResponses as Readonly<Record<string, Answered>> | undefined;
      if (answers === undefined) return inputRequired({ inputRequests: inputRequests as never });
      const { said, roots, thought: answer } = answers;
      if (name === 'both') return text([said, roots?.roots]);
      return text(roots?.roots ?? said ?? answer?.content);
    });
  }
  server.registerTool('steps', {}, async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    return text('steps');
  });
  return server;
}

interface Answered {
  readonly roots?: unknown;
  readonly content?: unknown;
}
