import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client112 } from 'sdk-1.12/client/index.js';
import { StreamableHTTPClientTransport as Transport112 } from 'sdk-1.12/client/streamableHttp.js';
import { ListRootsRequestSchema as ListRoots112 } from 'sdk-1.12/types.js';
import { token } from './open-endpoint.ts';

/** A client of any SDK, as far as the tests use it. */
export interface TestClient extends AsyncDisposable {
  /** The text of a tool's answer. */
  call(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<string>;
  rootsChanged(): Promise<void>;
  /** How often it was asked for its roots. */
  readonly asked: () => number;
  readonly sessionId: () => string | undefined;
  readonly errors: readonly Error[];
}

type Listed = readonly { uri: string; name?: string }[];
type Roots = Promise<{ roots: { uri: string; name?: string }[] }>;

export interface ClientOptions {
  readonly url: string;
  readonly token?: string;
  readonly roots?: () => Listed | Promise<Listed>;
}

export type ClientKind = 'v2 in 2025' | 'v2 in 2026' | 'v1' | 'v1.12';

export const clientKinds: readonly ClientKind[] = ['v2 in 2025', 'v2 in 2026', 'v1', 'v1.12'];
export const sessionKinds: readonly ClientKind[] = ['v2 in 2025', 'v1', 'v1.12'];

const info = { name: 'tester', version: '1' };
const capabilities = { roots: { listChanged: true } };

/** Connects a real client of an SDK. */
export async function connectClient(kind: ClientKind, options: ClientOptions): Promise<TestClient> {
  const errors: Error[] = [];
  let asked = 0;
  const answer = async (): Roots => {
    asked += 1;
    return { roots: [...((await options.roots?.()) ?? [{ uri: 'file:///srv/app', name: 'app' }])] };
  };
  const headers = { authorization: `Bearer ${options.token ?? token}` };
  const [client, transport] = newClient(kind, { url: new URL(options.url), headers, answer });
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    async call(name, args = {}, request = {}) {
      const result = (await (kind.startsWith('v2')
        ? client.callTool({ name, arguments: args }, request)
        : client.callTool({ name, arguments: args }, undefined, request))) as Result;
      if (result.isError === true) throw new Error(result.content[0]?.text);
      return result.content[0]?.text ?? '';
    },
    rootsChanged: () => client.sendRootsListChanged(),
    asked: () => asked,
    sessionId: () => transport.sessionId,
    errors,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

interface Parts {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly answer: () => Roots;
}

interface AnyTransport {
  readonly sessionId?: string | undefined;
}

/** What the clients of all SDKs share at run time. */
interface AnyClient {
  onerror?: ((error: Error) => void) | undefined;
  connect(transport: AnyTransport): Promise<void>;
  callTool(params: object, ...rest: unknown[]): Promise<unknown>;
  sendRootsListChanged(): Promise<void>;
  close(): Promise<void>;
}

function newClient(kind: ClientKind, { url, headers, answer }: Parts): [AnyClient, AnyTransport] {
  const init = { requestInit: { headers } };
  if (kind === 'v1') {
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(ListRootsRequestSchema, answer);
    return [client, new TransportV1(url, init)];
  }
  if (kind === 'v1.12') {
    const client = new Client112(info, { capabilities });
    client.setRequestHandler(ListRoots112, answer);
    return [client, new Transport112(url, init)];
  }
  const mode = kind === 'v2 in 2026' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('roots/list', answer);
  return [client, new StreamableHTTPClientTransport(url, init)];
}
