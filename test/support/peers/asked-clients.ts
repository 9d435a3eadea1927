import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Wire } from '../../../src/testing/wires.ts';

export const said = { action: 'accept', content: { colour: 'blue' } } as const;
export const thought = { role: 'assistant', model: 'm', content: { type: 'text', text: 'word' } } as const;
const identity = { name: 'test', version: '1' };
const capabilities = { roots: { listChanged: true }, elicitation: {}, sampling: {} };

export type AskedClientName = 'v1' | 'v2 with a handshake' | 'v2 in 2026';

export interface AskedClient {
  connect(wire: Wire): Promise<void>;
  call(tool: string): Promise<unknown>;
  progress(tool: string): Promise<readonly number[]>;
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Clients of both SDKs that answer everything that a server asks. */
export const askedClients: Readonly<Record<AskedClientName, () => AskedClient>> = {
  v1: () => {
    const client = new ClientV1(identity, { capabilities });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///own' }] }));
    client.setRequestHandler(ElicitRequestSchema, () => said);
    client.setRequestHandler(CreateMessageRequestSchema, () => thought);
    return driven(client as never);
  },
  'v2 with a handshake': () => driven(createV2('legacy')),
  'v2 in 2026': () => driven(createV2({ pin: '2026-07-28' })),
};

function createV2(mode: 'legacy' | { pin: string }): ClientV2 {
  const client = new ClientV2(identity, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///own' }] }));
  client.setRequestHandler('elicitation/create', () => said);
  client.setRequestHandler('sampling/createMessage', () => thought);
  return client;
}

function driven(client: ClientV2): AskedClient {
  return {
    connect: (wire) => client.connect(wire),
    async call(name) {
      const { content } = await client.callTool({ name, arguments: {} });
      const [first] = content;
      return first?.type === 'text' ? JSON.parse(first.text) : undefined;
    },
    async progress(name) {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      const call = { name, arguments: {} };
      await (client instanceof ClientV2
        ? client.callTool(call, { onprogress })
        : (client as ClientV1).callTool(call, undefined, { onprogress }));
      return seen;
    },
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}
