import { toFileUri } from '../../../src/path/file-uri.ts';
import { attach } from '../../../src/server/attach.ts';
import type { AttachOptions } from '../../../src/server/settings/attach-options.ts';
import type { Rootward } from '../../../src/server/settings/rootward.ts';
import { linkWires, type Wire, type WireMessage, type WireRecord } from '../../../src/testing/wires.ts';
import { openRawClient, type RawClient } from './raw-client.ts';
import { type AnyServer, createServer, type SdkName, type ToolRun } from './sdks.ts';

export interface LegacySetup {
  readonly sdk?: SdkName;
  readonly options?: AttachOptions;
  /** Of the client; roots by default. */
  readonly capabilities?: object;
  /** Paths that the client lists; `client.list` changes them. */
  readonly roots?: readonly string[];
  /** More parameters of `initialize`. */
  readonly initialize?: object;
  readonly clientName?: string;
  readonly protocolVersion?: string;
  /** Makes the transport one of HTTP. */
  readonly sessionId?: string;
  readonly tools?: Readonly<Record<string, (rootward: Rootward) => ToolRun>>;
}

/** What a tool came to. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly message: WireMessage;
}

/** A client that is written by hand, connected to a real server that is attached. */
export interface LegacyPair extends AsyncDisposable {
  readonly rootward: Rootward;
  readonly server: AnyServer;
  readonly client: RawClient;
  readonly records: readonly WireRecord[];
  /** Changes what the client lists, and does not say so. */
  list(...paths: readonly string[]): void;
  /** Says so. */
  changed(): Promise<void>;
  call(name: string, input?: object, meta?: object): Promise<CallResult>;
  close(): Promise<void>;
}

/** Nothing of this machine tells a project. */
export const nowhere: AttachOptions = { environment: {}, cwd: '/' };

/** Connects a server and a client of a revision before 2026-07-28. */
export async function connectLegacy(setup: LegacySetup = {}): Promise<LegacyPair> {
  const { sdk = 'v2', roots = [] } = setup;
  const server = createServer[sdk]();
  const rootward = attach(server.server, { ...nowhere, ...setup.options });
  for (const [name, tool] of Object.entries({ ...usualTools, ...setup.tools }))
    server.tool(name, tool(rootward));
  const wires = linkWires();
  if (setup.sessionId !== undefined) wires.server.sessionId = setup.sessionId;
  await connectServer(server, wires.server);
  const client = await openRawClient(wires.client);
  let listed = roots;
  client.answers.set('roots/list', () => ({ roots: listed.map((path) => ({ uri: toFileUri(path) })) }));
  await introduce(client, setup);
  const close = async (): Promise<void> => {
    await client.close();
    await rootward.close();
  };
  return {
    rootward,
    server,
    client,
    records: wires.records,
    list(...paths) {
      listed = paths;
    },
    changed: () => client.notify('notifications/roots/list_changed'),
    call: (name, input = {}, meta) => callTool(client, { name, input, ...(meta && { meta }) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

export async function connectServer({ server }: AnyServer, wire: Wire): Promise<void> {
  await (server.connect as (transport: Wire) => Promise<void>)(wire);
}

/** Says hello, as every client of these revisions does. */
export async function introduce(client: RawClient, setup: LegacySetup = {}): Promise<void> {
  const { capabilities = { roots: { listChanged: true } }, protocolVersion = '2025-11-25' } = setup;
  await client.request('initialize', {
    protocolVersion,
    capabilities,
    clientInfo: { name: setup.clientName ?? 'raw', version: '1.0.0' },
    ...setup.initialize,
  });
  await client.notify('notifications/initialized');
}

export interface ToolRequest {
  readonly name: string;
  readonly input?: object;
  readonly meta?: object;
}

export async function callTool(
  client: RawClient,
  { name, input = {}, meta }: ToolRequest,
): Promise<CallResult> {
  const message = await client.request('tools/call', {
    name,
    arguments: input,
    ...(meta && { _meta: meta }),
  });
  return readResult(message);
}

export function readResult(message: WireMessage): CallResult {
  const result = (message['result'] ?? {}) as {
    content?: { text?: string }[];
    isError?: boolean;
    structuredContent?: Readonly<Record<string, unknown>>;
  };
  return {
    text: result.content?.[0]?.text ?? '',
    isError: result.isError === true,
    data: result.structuredContent ?? {},
    message,
  };
}

/** `where` names the project, `paths` lists what may be reached, `read` reads, `contains` and `peek` look. */
export const usualTools: Readonly<Record<string, (rootward: Rootward) => ToolRun>> = {
  where: (rootward) => async (context) => (await rootward.workspace(context)).project.name,
  source: (rootward) => async (context) => (await rootward.workspace(context)).source,
  paths: (rootward) => async (context) => (await rootward.roots(context)).map(({ path }) => path).join(' '),
  read:
    (rootward) =>
    async (context, { path = '' }) =>
      rootward.access(context, { operation: 'read', path }, ({ boundary, relative }) =>
        boundary.readText(relative),
      ),
  contains:
    (rootward) =>
    async (context, { path = '' }) =>
      String(rootward.contains(context, path)),
};
