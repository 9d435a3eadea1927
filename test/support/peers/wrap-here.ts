import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createMemorySink, type MemorySink } from '../../../src/audit/sink.ts';
import { createGateway, type GatewayConnection, type GatewayOptions } from '../../../src/gateway/index.ts';
import { eventually } from '../http/eventually.ts';

/** The program of a server without an SDK, which says what it got. */
export const wrappedServer: string = fileURLToPath(
  new URL('../processes/wrapped-server.mjs', import.meta.url),
);

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface WrapOptions extends Partial<GatewayOptions> {
  /** After the program of the server. */
  readonly args?: readonly string[];
  /** How the server behaves. */
  readonly mode?: string;
  readonly capabilities?: object;
  /** URIs. */
  readonly list?: readonly string[];
}

/** A client without an SDK, and a server behind the gateway in the process of the test. */
export interface Wrapped extends AsyncDisposable {
  readonly connection: GatewayConnection;
  readonly audit: MemorySink;
  /** The lines that came, as they came. */
  readonly lines: string[];
  /** How often each question of the other side was asked. */
  readonly asked: string[];
  /** How the client answers; roots by default. */
  readonly answers: Map<string, (params: unknown) => object | undefined>;
  write(text: string | Buffer): void;
  /** Sends a request, and waits for its answer. */
  request(method: string, params?: object, more?: object): Promise<Message>;
  notify(method: string, params?: object): void;
  call(tool: string, args?: object): Promise<string>;
  /** Opens the connection as clients do. */
  initialize(): Promise<Message>;
  messages(): readonly Message[];
  /** Waits for the first message that fits. */
  find(fits: (message: Message) => boolean): Promise<Message>;
  stderr(): string;
  /** Lists other roots from now on. */
  list(...uris: readonly string[]): void;
  hangUp(): Promise<unknown>;
  /** Calls a tool under this id; cheaper than `request`, because nothing is searched. */
  ping(id: string): Promise<void>;
  stopReading(): void;
  startReading(): void;
  /** Bytes that wait for the client to read them. */
  waitingBytes(): number;
}

export function wrapHere(options: WrapOptions = {}): Wrapped {
  const { args = [], mode = '', capabilities = {}, list = [], ...given } = options;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const audit = createMemorySink();
  let stderr = '';
  let listed = list;
  let next = 0;
  const gateway = createGateway({
    command: [process.execPath, wrappedServer, ...args],
    name: 'wrapped',
    audit,
    cwd: '/',
    env: { PATH: process.env['PATH'], SERVER_MODE: mode },
    stderr: (bytes) => void (stderr += bytes.toString()),
    ...given,
    roots: { cwd: '/', environment: {}, ...given.roots },
  });
  const lines: string[] = [];
  const messages: Message[] = [];
  const asked: string[] = [];
  const answers = new Map<string, (params: unknown) => object | undefined>([
    ['roots/list', () => ({ result: { roots: listed.map((uri) => ({ uri })) } })],
  ]);
  const write = (text: string | Buffer): void => void input.write(text);
  const send = (message: object): void => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const all = (rest + chunk).split('\n');
    rest = all.pop() ?? '';
    for (const line of all) take(line);
  });
  const pinged = new Map<unknown, () => void>();
  const take = (line: string): void => {
    lines.push(line);
    const parsed = JSON.parse(line) as Message | readonly Message[];
    if ('id' in parsed && pinged.has(parsed.id)) return pinged.get(parsed.id)?.();
    for (const message of [parsed].flat() as readonly Message[]) {
      messages.push(message);
      if (message.method === undefined || message.id === undefined) continue;
      asked.push(message.method);
      const answer = answers.get(message.method)?.(message.params);
      if (answer !== undefined) send({ id: message.id, ...answer });
    }
  };
  const connection = gateway.connect({ input, output });
  const find = (fits: (message: Message) => boolean): Promise<Message> =>
    eventually(() => {
      const found = messages.find(fits);
      if (found === undefined)
        throw new Error(`nothing fits in ${lines.join('\n').slice(0, 2_000)} ${stderr}`);
      return found;
    });
  const request = (method: string, params?: object, more: object = {}): Promise<Message> => {
    const id = ++next;
    send({ id, method, ...(params && { params }), ...more });
    return find((message) => message.id === id && message.method === undefined);
  };
  return {
    connection,
    audit,
    lines,
    asked,
    answers,
    write,
    request,
    notify: (method, params) => send({ method, ...(params && { params }) }),
    async call(name, args_ = {}) {
      const { result, error } = await request('tools/call', { name, arguments: args_ });
      const [content] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
      return content?.text ?? JSON.stringify(error ?? result);
    },
    async initialize() {
      const clientInfo = { name: 'raw', version: '1' };
      const answer = await request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
      send({ method: 'notifications/initialized' });
      return answer;
    },
    messages: () => messages,
    find,
    stderr: () => stderr,
    list(...uris) {
      listed = uris;
    },
    ping: (id) =>
      new Promise((resolve) => {
        pinged.set(id, resolve);
        send({ id, method: 'tools/call', params: { name: 'echo', arguments: { text: id } } });
      }),
    stopReading: () => void output.pause(),
    startReading: () => void output.resume(),
    waitingBytes: () => output.readableLength + output.writableLength,
    async hangUp() {
      input.end();
      return connection.ended;
    },
    async [Symbol.asyncDispose]() {
      input.end();
      await connection.close();
      await connection.ended;
      if (!output.readableEnded) void once(output, 'end').catch(() => undefined);
    },
  };
}
