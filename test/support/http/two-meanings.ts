import { openSocket, readAll } from './raw.ts';

export interface TwoMeanings {
  readonly what: string;
  /** Replaces the path of the request line. */
  readonly target?: (port: number) => string;
  /** Header lines beside the usual ones. */
  readonly more?: readonly string[];
  /** Whether the added line comes before the usual ones: readers differ in which of two they take. */
  readonly first?: boolean;
  readonly status: 400 | 431;
}

const repeated = [
  'Host: evil.example',
  'Host: 127.0.0.1:PORT',
  'hOST: 127.0.0.1:PORT',
  'Origin: http://127.0.0.1:PORT',
  'Authorization: Bearer x',
  'Cookie: a=b',
  'X-Rootward-Proof: x',
  'Sec-Fetch-Site: none',
  'Content-Type: application/json',
  'Content-Length: 2',
  'Content-Length: 3',
  'Mcp-Session-Id: x',
  'MCP-Protocol-Version: 2025-11-25',
  'Mcp-Method: tools/list',
  'Mcp-Name: x',
  'Last-Event-ID: x',
] as const;

/** Requests that two readers could take for two different ones. */
export const twoMeanings: readonly TwoMeanings[] = [
  ...repeated.flatMap((line): readonly TwoMeanings[] => [
    { what: `a second ${line}`, more: [line], status: 400 },
    { what: `a second ${line} in front`, more: [line], first: true, status: 400 },
  ]),
  { what: 'a target with our own host', target: (port) => `http://127.0.0.1:${port}`, status: 400 },
  { what: 'a target with another host', target: () => 'http://evil.example', status: 400 },
  { what: 'a length and chunks', more: ['Transfer-Encoding: chunked'], status: 400 },
  { what: 'a line that goes on in the next', more: ['X-A: b\r\n c: d\r\nHost: evil.example'], status: 400 },
  {
    what: 'a second Host behind more headers than are counted',
    more: [...Array.from({ length: 120 }, (_, index) => `X-${index}: x`), 'Host: evil.example'],
    status: 431,
  },
];

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request as bytes, with a second meaning if one is given. Returns the whole answer. */
export async function sendPlain(
  port: number,
  request: PlainRequest,
  { target = () => '', more = [], first = false }: Omit<TwoMeanings, 'what' | 'status'> = {},
): Promise<string> {
  const every = { Host: '127.0.0.1:PORT', Connection: 'close', ...request.headers, 'Content-Length': '2' };
  const usual = Object.entries(every).map(([name, value]) => `${name}: ${value}`);
  const names = new Set(Object.keys(every).map((name) => name.toLowerCase()));
  // A header that the request does not have needs two lines to be there twice.
  const added = more.flatMap((line) => (isSingle(line, names) ? [line, line] : [line]));
  const lines = first ? [...added, ...usual] : [...usual, ...added];
  const head = [`${request.method} ${target(port)}${request.path} HTTP/1.1`, ...lines];
  const socket = await openSocket({ port });
  socket.write(`${head.join('\r\n').replaceAll('PORT', String(port))}\r\n\r\n{}`);
  return readAll(socket);
}

function isSingle(line: string, names: ReadonlySet<string>): boolean {
  const [name = ''] = line.toLowerCase().split(':');
  return !/^(?:x-(?:a|\d+)|transfer-encoding)$/.test(name) && !names.has(name);
}
