// A node that tells a client 200 MiB which it does not read, and then how many MiB it held at most: once through
// the endpoint, and once as a server without a bound would write them. Needs --expose-gc.
//
// What is counted is what JavaScript still holds after garbage was thrown away: objects, strings and buffers,
// those that wait in sockets included. The size of the process says less: its allocators keep tens of MiB for
// themselves that no client uses, and more on a busy machine.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { listen } from '../../../.build/src/http/listen.js';
import { openRedisStore } from '../../../.build/src/sessions/redis/redis-store.js';
import { token } from '../../../.build/test/support/http/open-endpoint.js';

const [address] = process.argv.slice(2);
const [count, data] = [3_200, 'x'.repeat(65_536)];
let cut = false;

const held = () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
};

/** Says 200 MiB, or as many as are taken, and returns by how many it grew at most on the way. */
const flood = async (say, every = 16) => {
  const before = held();
  let largest = before;
  for (let index = 0; index < count; index += 1) {
    const taken = await Promise.resolve(say(data)).then(
      () => true,
      () => false,
    );
    if (taken && index % every !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    largest = Math.max(largest, held());
    if (!taken) break;
  }
  return largest - before;
};

const tell = (report) => process.stdout.write(`${JSON.stringify(report)}\n`);

const createTalker = () => {
  const server = new McpServer({ name: 'talker', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('talk', {}, async (ctx) => {
    const grown = await flood((text) =>
      ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: text } }),
    );
    tell({ grown, cut });
    return { content: [] };
  });
  return server;
};

const sessions = await openRedisStore({ address, secrets: [Buffer.alloc(32, 7)] });
const record = ({ kind }) => (cut ||= kind === 'slow-reader');
const { port } = await listen({ createServer: createTalker, sessions, tokens: [{ token }], record });
const naive = createServer((_request, response) => {
  void flood((text) => response.write(`data: ${text}\n\n`), count - 1).then((grown) => tell({ grown }));
}).listen(0, '127.0.0.1');
await once(naive, 'listening');
tell({ port, naive: naive.address().port });
