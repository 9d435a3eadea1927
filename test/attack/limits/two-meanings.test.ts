import { expect, test } from 'vitest';
import { openEndpoint, token } from '../../support/http/open-endpoint.ts';
import { openSocket, readAll } from '../../support/http/raw.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';

const usual = [
  ['Host', '127.0.0.1:PORT'],
  ['Authorization', `Bearer ${token}`],
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
  ['Content-Length', '2'],
  ['Connection', 'close'],
] as const;

/** Names of which two readers might take another one. */
const singular =
  'Host Origin Authorization Cookie Content-Type Content-Length Transfer-Encoding Expect Sec-Fetch-Site Mcp-Session-Id MCP-Protocol-Version Mcp-Method Mcp-Name Last-Event-ID X-Rootward-Proof'.split(
    ' ',
  );
const values = [
  '127.0.0.1:PORT',
  'evil.example',
  '2',
  '0',
  'Bearer x',
  'chunked',
  'identity',
  '',
  'null',
  'x',
];
const between = [': ', ':', ' : ', ':\t', '\t:', ': \u000B', ':\r\n ', ':\r\n\t'];
const ends = ['\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n \r\n', '\r\n\t'];
const targets = [
  '/mcp',
  '/mcp',
  '/mcp',
  'http://127.0.0.1:PORT/mcp',
  '//evil.example/mcp',
  'mcp',
  '*',
  '/mcp#x',
];

/** Lines as the strictest reader takes them, by name. */
function namesIn(head: string): readonly string[] {
  const lines = head.split(/\r\n|\n|\r/).slice(1);
  return lines.map((line) => (line.split(':')[0] ?? '').trim().toLowerCase());
}

test(
  'no request that two readers could take for two different ones comes through the door',
  { timeout: 60_000 * attackScale },
  async () => {
    const random = createRandom(attackSeed);
    const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value;
    const inCase = (name: string): string => pick([name, name.toLowerCase(), name.toUpperCase()]);
    await using endpoint = await openEndpoint();
    const count = { in: 0, out: 0 };
    for (let round = 0; round < 150 * attackScale; round += 1) {
      const lines = usual.map(([name, value]) => `${inCase(name)}: ${value}\r\n`);
      for (let more = Math.floor(random() * 3); more > 0; more -= 1) {
        const line = `${inCase(pick(singular))}${pick(between)}${pick(values)}${pick(ends)}`;
        lines.splice(Math.floor(random() * (lines.length + 1)), 0, line);
      }
      const head = `POST ${pick(targets)} HTTP/1.1\r\n${lines.join('')}`.replaceAll(
        'PORT',
        String(endpoint.port),
      );
      const socket = await openSocket(endpoint);
      socket.end(`${head}\r\n{}`);
      // The body is no message, which is said only to callers with a token.
      const cameIn = (await readAll(socket)).includes('not a JSON-RPC message');
      const names = namesIn(head);
      const twice = singular.filter((each) => names.filter((name) => name === each.toLowerCase()).length > 1);
      const seen = { seed: attackSeed, round, head, twice, path: head.split(' ')[1]?.startsWith('/') };
      if (cameIn) expect(seen).toMatchObject({ twice: [], path: true });
      count[cameIn ? 'in' : 'out'] += 1;
    }
    expect(count.in, `seed ${attackSeed}`).toBeGreaterThan(0);
    expect(count.out, `seed ${attackSeed}`).toBeGreaterThan(0);
  },
);
