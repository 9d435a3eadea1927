import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { type AskingServer, askingServers } from '../../../test/support/peers/asking-servers.ts';
import {
  createTranslator,
  envelope,
  idOf,
  methodOf,
  notification,
  relayEras,
  request,
} from '../../../test/support/peers/relay-eras.ts';
import type { Wire } from '../../testing/wires.ts';
import type { EraStep } from './step.ts';
import type { ConnectionTranslator } from './connection-translator.ts';

const roots = [{ uri: 'file:///app', name: 'app' }];
const said = { action: 'accept', content: { colour: 'blue' } } as const;
const thought = { role: 'assistant', model: 'm', content: { type: 'text', text: 'word' } } as const;
const identity = { name: 'test', version: '1' };
const capabilities = { roots: { listChanged: true }, elicitation: {}, sampling: {} };

type ClientName = 'v1' | 'v2 with a handshake' | 'v2 in 2026';

interface TestClient {
  connect(wire: Wire): Promise<void>;
  call(tool: string): Promise<unknown>;
  progress(tool: string): Promise<readonly number[]>;
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const clients: Readonly<Record<ClientName, () => TestClient>> = {
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

function driven(client: ClientV2): TestClient {
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

const pairs = Object.keys(clients).flatMap((client) =>
  Object.keys(askingServers).map((server) => [client as ClientName, server as AskingServer] as const),
);

describe.each(pairs)('a client %s and a server %s', (clientName, serverName) => {
  test('work together, and the roots are those of the gateway', async () => {
    const relayed = await relayEras({ serve: askingServers[serverName], roots });
    const client = clients[clientName]();
    await client.connect(relayed.client);
    expect(await client.list()).toContain('plain');
    expect(await client.call('plain')).toBe('plain');
    expect(await client.call('where')).toStrictEqual(roots);
    expect(await client.call('ask')).toMatchObject(said);
    expect(await client.call('think')).toMatchObject(thought.content);
    expect(await client.call('both')).toMatchObject([said, roots]);
    expect(await client.progress('steps')).toContain(1);
    expect(relayed.records).toStrictEqual([]);
    expect(relayed.servers).toBe(processes(clientName, serverName));
    await client.close();
  });
});

/** A server that refuses the first message gets a new process, where it hears only the era that it knows. */
function processes(client: ClientName, server: AskingServer): number {
  const isNewer = client === 'v2 in 2026';
  if (server === 'v2 of both') return 1;
  return isNewer === (server === 'v2 of 2026 alone') ? 1 : 2;
}

describe('the opening', () => {
  const hello = request(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: identity,
  });
  const list = request(2, 'tools/list', envelope());

  test('an older client is taken at its word: its initialize goes to the server at once', () => {
    const translator = createTranslator();
    const [step] = translator.fromClient(hello);
    expect(step).toMatchObject({ kind: 'send', to: 'server', message: { id: 1, method: 'initialize' } });
  });

  test('initialize that asks for 2026-07-28 goes on with the last revision that has it', () => {
    const asked = { ...hello, params: { ...hello.params, protocolVersion: '2026-07-28' } };
    const [step] = createTranslator().fromClient(asked);
    expect(step).toMatchObject({ message: { params: { protocolVersion: '2025-11-25' } } });
  });

  test('initialize with an introduction of 2026-07-28 is unknown', () => {
    const [step] = createTranslator().fromClient(request(1, 'initialize', envelope()));
    expect(step).toMatchObject({ to: 'client', message: { id: 1, error: { code: -32_601 } } });
  });

  test('a revision that is not known is refused with those that are', () => {
    const [step] = createTranslator().fromClient(request(1, 'tools/list', envelope({}, '2030-01-01')));
    const error = { code: -32_022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } };
    expect(step).toMatchObject({ to: 'client', message: { error } });
  });

  const older = [
    ['is silent', (translator: ConnectionTranslator) => translator.serverSilent()],
    ['knows no such method', answerProbe({ error: { code: -32_601, message: '' } })],
    ['misses parameters', answerProbe({ error: { code: -32_602, message: '' } })],
    ['answers with something else', answerProbe({ result: {} })],
  ] as const;
  test.each(older)(
    'a server that %s when asked for its era gets a new process and initialize',
    (_, answer) => {
      const translator = createTranslator();
      const asked = translator.fromClient(list);
      expect(asked.map(({ kind }) => kind)).toStrictEqual(['send', 'probe']);
      const [fresh, hello] = answer(translator, asked);
      expect(fresh).toStrictEqual({ kind: 'fresh-server' });
      const params = { protocolVersion: '2025-11-25', clientInfo: identity, capabilities: { roots: {} } };
      expect(hello).toMatchObject({ to: 'server', message: { method: 'initialize', params } });
    },
  );

  test('requests wait for the handshake, and one that was cancelled is not sent', () => {
    const translator = createTranslator();
    translator.fromClient(list);
    translator.fromClient(request(3, 'tools/list', envelope()));
    expect(translator.fromClient(notification('notifications/cancelled', { requestId: 3 }))).toStrictEqual(
      [],
    );
    const steps = greet(translator);
    expect(steps.map(methodOf)).toStrictEqual(['notifications/initialized', 'tools/list']);
  });

  test('more than 64 waiting messages are refused', () => {
    const translator = createTranslator();
    const answers = Array.from({ length: 65 }, (_, id) => translator.fromClient({ ...list, id }));
    expect(answers.at(-2)).toStrictEqual([]);
    expect(answers.at(-1)).toMatchObject([{ to: 'client', message: { id: 64, error: { code: -32_603 } } }]);
  });

  test('a server that knows neither era fails what waits', () => {
    const translator = createTranslator();
    const [, asked] = translator.fromClient(list) && translator.serverSilent();
    const error = { code: -32_603, message: 'no' };
    const steps = translator.fromServer({ jsonrpc: '2.0', id: idOf(asked), error });
    expect(steps).toMatchObject([{ to: 'client', message: { id: 2, error: { code: -32_603 } } }]);
  });

  test('a server may ping while it is greeted, and ask nothing else', () => {
    const translator = createTranslator();
    translator.fromClient(list);
    translator.serverSilent();
    expect(translator.fromServer(request(0, 'ping'))).toMatchObject([
      { to: 'server', message: { result: {} } },
    ]);
    const [refused] = translator.fromServer(request(1, 'roots/list'));
    expect(refused).toMatchObject({ to: 'server', message: { id: 1, error: { code: -32_601 } } });
  });

  test('a restarted older server hears the same initialize, and then what the client had asked for', () => {
    const translator = createTranslator();
    translator.fromClient(hello);
    translator.fromServer({ jsonrpc: '2.0', id: 1, result: { capabilities: {} } });
    translator.fromClient(request(2, 'logging/setLevel', { level: 'info' }));
    const [again] = translator.restarted();
    expect(again).toMatchObject({ to: 'server', message: { method: 'initialize', params: hello.params } });
    expect(translator.fromClient(request(3, 'ping'))).toStrictEqual([]);
    const steps = translator.fromServer({ jsonrpc: '2.0', id: idOf(again), result: {} });
    expect(steps.map(methodOf)).toStrictEqual(['notifications/initialized', 'logging/setLevel', 'ping']);
  });

  test('a ping before initialize passes', () => {
    const translator = createTranslator();
    expect(translator.fromClient(request(1, 'ping'))).toMatchObject([{ kind: 'pass', to: 'server' }]);
    const pong = { jsonrpc: '2.0', id: 1, result: {} } as const;
    expect(translator.fromServer(pong)).toMatchObject([{ kind: 'pass', to: 'client' }]);
    expect(translator.fromClient(hello)).toMatchObject([{ to: 'server' }]);
  });
});

function greet(translator: ConnectionTranslator): readonly EraStep[] {
  const [, asked] = translator.serverSilent();
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: identity };
  return translator.fromServer({ jsonrpc: '2.0', id: idOf(asked), result });
}

function answerProbe(
  answer: object,
): (translator: ConnectionTranslator, asked: readonly EraStep[]) => readonly EraStep[] {
  return (translator, [asked]) => translator.fromServer({ jsonrpc: '2.0', id: idOf(asked), ...answer });
}
