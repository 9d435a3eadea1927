/** The server that the official conformance suite is run against: SDK v2 over HTTP, with `attach`. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { attach, type Rootward } from '../src/server/index.ts';

export interface ConformanceServer {
  readonly url: string;
  close(): void;
}

/** Listens on loopback. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const server = createServer(toNodeHandler(createMcpHandler(buildServer)) as RequestListener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

type Rounds = { readonly step: number };

const codec = createRequestStateCodec<Rounds>({ key: crypto.getRandomValues(new Uint8Array(32)) });

/** One for each request, as the handler wants it. */
function buildServer(): McpServer {
  const server = new McpServer(
    { name: 'rootward-conformance', version: '1.0.0' },
    { requestState: { verify: async (state, ctx) => codec.verify(state, ctx) } },
  );
  // No directory is named, and the suite lists one that does not exist: only the question counts here.
  const rootward = attach(server, { merge: 'client', environment: {}, cwd: '/' });
  registerRoots(server, rootward);
  registerElicitation(server);
  registerState(server);
  registerRounds(server);
  registerPrompt(server);
  return server;
}

const say = (text: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text }],
});
/** A question for a person, with one field. */
function form(message: string, name: string, type: 'string' | 'boolean' = 'string'): Question {
  const field = type === 'string' ? { type } : { type };
  const requestedSchema = { type: 'object' as const, properties: { [name]: field }, required: [name] };
  return inputRequired.elicit({ message, requestedSchema });
}

type Question = ReturnType<typeof inputRequired.elicit>;

/** A question for the client's model. */
function sample(text: string): ReturnType<typeof inputRequired.createMessage> {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
  return inputRequired.createMessage({ messages, maxTokens: 50 });
}

/** The two tools in which Rootward asks: alone, and beside questions of the author. */
function registerRoots(server: McpServer, rootward: Rootward): void {
  server.registerTool('test_input_required_result_list_roots', {}, async (ctx) => {
    const roots = await rootward.roots(ctx);
    return say(`${roots.length} roots`);
  });
  server.registerTool('test_input_required_result_multiple_inputs', {}, async (ctx) => {
    // Not awaited before the own questions are there, so that all go in one round.
    const roots = rootward.roots(ctx);
    const { inputResponses } = ctx.mcpReq;
    if (inputResponse(inputResponses, 'user_name').kind === 'missing')
      return inputRequired({
        inputRequests: {
          user_name: form('What is your name?', 'name'),
          greeting: sample('Generate a greeting'),
        },
        requestState: await codec.mint({ step: 1 }),
      });
    return say(`${(await roots).length} roots`);
  });
}

function registerElicitation(server: McpServer): void {
  server.registerTool('test_input_required_result_elicitation', {}, async (ctx) => {
    const content = acceptedContent<{ name?: string }>(ctx.mcpReq.inputResponses, 'user_name');
    if (typeof content?.name === 'string') return say(`Hello, ${content.name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  });
  server.registerTool('test_input_required_result_sampling', {}, async (ctx) => {
    if (inputResponse(ctx.mcpReq.inputResponses, 'capital_question').kind !== 'missing') return say('Paris');
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
  });
  server.registerTool('test_input_required_result_capabilities', {}, async (ctx) => askWhatIsDeclared(ctx));
}

/** Asks only for what the client declared with this request. */
async function askWhatIsDeclared(
  ctx: ServerContext,
): Promise<ReturnType<typeof say> | ReturnType<typeof inputRequired>> {
  const envelope: Readonly<Record<string, unknown>> = { ...ctx.mcpReq.envelope };
  const declared = Object(envelope[CLIENT_CAPABILITIES_META_KEY]) as object;
  if (!('sampling' in declared)) return say('nothing to ask');
  if (inputResponse(ctx.mcpReq.inputResponses, 'greeting').kind !== 'missing') return say('asked');
  return inputRequired({ inputRequests: { greeting: sample('Hello') } });
}

function registerState(server: McpServer): void {
  for (const name of ['request_state', 'tampered_state'])
    server.registerTool(`test_input_required_result_${name}`, {}, async (ctx) => {
      if (ctx.mcpReq.requestState<Rounds>()?.step === 1) return say('state-ok');
      return inputRequired({
        inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
        requestState: await codec.mint({ step: 1 }),
      });
    });
}

function registerRounds(server: McpServer): void {
  server.registerTool('test_input_required_result_multi_round', {}, async (ctx) => {
    const { step } = ctx.mcpReq.requestState<Rounds>() ?? { step: 0 };
    if (step === 2) return say('done');
    const question =
      step === 0 ? form('Step 1: What is your name?', 'name') : form('Step 2: Which colour?', 'color');
    return inputRequired({
      inputRequests: { [`step${step + 1}`]: question },
      requestState: await codec.mint({ step: step + 1 }),
    });
  });
}

function registerPrompt(server: McpServer): void {
  server.registerPrompt(
    'test_input_required_result_prompt',
    { argsSchema: z.object({}) },
    async (_args, ctx) => {
      const content = acceptedContent<{ context: string }>(ctx.mcpReq.inputResponses, 'user_context');
      if (content === undefined)
        return inputRequired({
          inputRequests: { user_context: form('What context should the prompt use?', 'context') },
        });
      return { messages: [{ role: 'user', content: { type: 'text', text: content.context } }] };
    },
  );
}
