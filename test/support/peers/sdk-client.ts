import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client12 } from 'sdk-1.12/client/index.js';
import { ListRootsRequestSchema as Schema12 } from 'sdk-1.12/types.js';

/** A real client: the SDK it is made with and, where that knows both, the era it speaks. */
export type ClientName = 'v1' | 'v1.12' | 'v2' | 'v2 in 2026';

export const olderClients: readonly ClientName[] = ['v1', 'v1.12', 'v2'];

export interface SdkClientOptions {
  /** Paths of the roots that it lists; no roots capability where there are none. */
  readonly roots?: readonly string[];
  /** Answers a person's question; no such capability without it. */
  readonly person?: (message: string) => Record<string, string | boolean>;
}

/** What a call came to. */
export interface Told {
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** The first text, which every client shows. */
  readonly text: string;
  /** All of them. */
  readonly texts: readonly string[];
  readonly milliseconds: number;
  /** The code of a refusal of ours. */
  readonly code?: string;
}

/** A tool as a client sees it. */
export interface SeenTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

/** A client of any SDK, as far as the tests use it. */
export interface SdkClient {
  readonly name: ClientName;
  /** For `connect`. */
  readonly raw: ClientV1 | Client12 | ClientV2;
  call(tool: string, args?: Record<string, unknown>): Promise<Told>;
  tools(): Promise<readonly SeenTool[]>;
  /** Lists others from now on, and says so. */
  change(roots: readonly string[]): Promise<void>;
  /** How often it was asked for its roots since it was last looked at. */
  asked(): number;
  close(): Promise<void>;
}

export function createSdkClient(name: ClientName, { roots, person }: SdkClientOptions): SdkClient {
  let listed = roots ?? [];
  let asked = 0;
  const answer = (): { roots: { uri: string }[] } => {
    asked += 1;
    return { roots: listed.map((path) => ({ uri: `file://${path}` })) };
  };
  const capabilities = {
    ...(roots && { roots: { listChanged: true } }),
    ...(person && { elicitation: {} }),
  };
  const raw = createRaw(name, capabilities, answer);
  if (person !== undefined && raw instanceof ClientV2)
    raw.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: person(params.message),
    }));
  return {
    name,
    raw,
    call: async (tool, args = {}) => callTool(raw, tool, args),
    tools: async () => (await raw.listTools()).tools as readonly SeenTool[],
    async change(next) {
      listed = next;
      await raw.sendRootsListChanged();
    },
    asked() {
      const before = asked;
      asked = 0;
      return before;
    },
    close: async () => raw.close(),
  };
}

const identity = { name: 'tester', version: '1.0.0' };

type Answer = () => { roots: { uri: string }[] };

function createRaw(name: ClientName, capabilities: Record<string, object>, answer: Answer): SdkClient['raw'] {
  const asks = 'roots' in capabilities;
  switch (name) {
    case 'v1': {
      const client = new ClientV1(identity, { capabilities });
      if (asks) client.setRequestHandler(ListRootsRequestSchema, answer);
      return client;
    }
    case 'v1.12': {
      const client = new Client12(identity, { capabilities });
      if (asks) client.setRequestHandler(Schema12, answer);
      return client;
    }
    case 'v2':
    case 'v2 in 2026': {
      const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
      const client = new ClientV2(identity, { capabilities, ...(name === 'v2 in 2026' && modern) });
      if (asks) client.setRequestHandler('roots/list', answer);
      return client;
    }
  }
}

async function callTool(raw: SdkClient['raw'], tool: string, args: Record<string, unknown>): Promise<Told> {
  const started = performance.now();
  const result = (await raw.callTool({ name: tool, arguments: args })) as RawResult;
  const milliseconds = performance.now() - started;
  const { isError = false, structuredContent = {}, content = [], _meta } = result;
  const texts = content.flatMap(({ text }) => text ?? []);
  const code = _meta?.['rootward/error']?.code ?? structuredContent.error?.code;
  const told = { isError, data: structuredContent, text: content[0]?.text ?? '', texts, milliseconds };
  return code === undefined ? told : { ...told, code };
}

interface RawResult {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code?: string };
  };
  readonly _meta?: { readonly 'rootward/error'?: { readonly code?: string } };
  readonly content?: readonly { readonly text?: string }[];
}
