import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { attach } from '../../../src/server/attach.ts';
import type { AttachOptions } from '../../../src/server/settings/attach-options.ts';
import type { Rootward } from '../../../src/server/settings/rootward.ts';
import { linkWires, type WireMessage } from '../../../src/testing/wires.ts';
import { type CallResult, nowhere, readResult, usualTools } from './connect-legacy.ts';
import { openRawClient, type RawClient } from './raw-client.ts';
import { createServer, type ToolRun } from './sdks.ts';

export interface ModernSetup {
  readonly options?: AttachOptions;
  readonly capabilities?: object;
  readonly roots?: readonly string[];
  readonly serverOptions?: object;
  readonly tools?: Readonly<Record<string, (rootward: Rootward) => ToolRun>>;
  /** Registers more than tools. */
  readonly more?: (server: McpServer, rootward: Rootward) => void;
}

/** One request as it is sent: what it asks for, and what it answers. */
export interface Round {
  readonly params?: object;
  readonly responses?: object;
  readonly state?: string | undefined;
  readonly capabilities?: object | undefined;
  readonly meta?: object;
}

/** A client of 2026-07-28 that is written by hand: rounds are sent one by one. */
export interface ModernPair extends AsyncDisposable {
  readonly rootward: Rootward;
  readonly client: RawClient;
  /** Paths that `call` answers with. */
  list(...paths: readonly string[]): void;
  /** One round; the result may be a question. */
  round(method: string, round?: Round): Promise<WireMessage>;
  /** Goes on until there is a result, as a real client does; ten rounds at most. */
  call(name: string, input?: object, answers?: Answers): Promise<ModernResult>;
  close(): Promise<void>;
}

/** By method, what the client answers. */
export type Answers = Readonly<Record<string, (request: WireMessage, key: string) => unknown>>;

export interface ModernResult extends CallResult {
  /** The questions of each round, by method. */
  readonly rounds: readonly (readonly string[])[];
}

/** Connects a server and a client of 2026-07-28. */
export async function connectModern(setup: ModernSetup = {}): Promise<ModernPair> {
  const wires = linkWires();
  let built: Rootward | undefined;
  const build = (): McpServer => {
    const one = createServer.v2(setup.serverOptions);
    const server = one.server as unknown as McpServer;
    const rootward = attach(server, { ...nowhere, ...setup.options });
    for (const [name, tool] of Object.entries({ ...usualTools, ...setup.tools }))
      one.tool(name, tool(rootward));
    setup.more?.(server, rootward);
    built = rootward;
    return server;
  };
  const served = serveStdio(build, { transport: wires.server });
  const client = await openRawClient(wires.client);
  const { capabilities: usual = { roots: {} } } = setup;
  let listed = setup.roots ?? [];
  const round: ModernPair['round'] = (
    method,
    { params, responses, state, capabilities = usual, meta } = {},
  ) =>
    client.request(method, {
      ...params,
      ...(responses && { inputResponses: responses }),
      ...(state !== undefined && { requestState: state }),
      _meta: { ...envelope(capabilities), ...meta },
    });
  await round('server/discover');
  const close = async (): Promise<void> => {
    await client.close();
    await served.close();
    await built?.close();
  };
  return {
    get rootward() {
      if (built === undefined) throw new Error('No server was built');
      return built;
    },
    client,
    list(...paths) {
      listed = paths;
    },
    round,
    call: (name, input = {}, answers = {}) =>
      untilResult(
        round,
        { name, input },
        {
          'roots/list': () => ({ roots: listed.map((path) => ({ uri: toFileUri(path) })) }),
          ...answers,
        },
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function envelope(capabilities: object): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

async function untilResult(
  round: ModernPair['round'],
  { name, input }: { readonly name: string; readonly input: object },
  answers: Answers,
): Promise<ModernResult> {
  const rounds: string[][] = [];
  let next: Round = {};
  for (let count = 0; count < 10; count += 1) {
    const message = await round('tools/call', { params: { name, arguments: input }, ...next });
    const asked = questionsIn(message);
    if (asked === undefined) return { ...readResult(message), rounds };
    rounds.push(Object.values(asked).map(({ method }) => String(method)));
    const responses = Object.fromEntries(
      Object.entries(asked).map(([key, request]) => [
        key,
        answers[String(request['method'])]?.(request, key),
      ]),
    );
    const state = (message['result'] as { requestState?: string }).requestState;
    next = { responses, state };
  }
  throw new Error(`Ten rounds, and no result: ${JSON.stringify(rounds)}`);
}

/** The questions of a result by their keys; `undefined` if it asks nothing. */
export function questionsIn(message: WireMessage): Readonly<Record<string, WireMessage>> | undefined {
  const result = (message['result'] ?? {}) as {
    resultType?: string;
    inputRequests?: Readonly<Record<string, WireMessage>>;
  };
  return result.resultType === 'input_required' ? (result.inputRequests ?? {}) : undefined;
}
