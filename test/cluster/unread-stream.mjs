// A node that tells a client 200 MiB which it does not read, and then how many MiB it grew by.
import { McpServer } from '@modelcontextprotocol/server';
import { listen } from '../../.build/src/http/listen.js';
import { openRedisStore } from '../../.build/src/sessions/redis-store.js';
import { token } from '../../.build/test/http/open-endpoint.js';

const [address] = process.argv.slice(2);
const [count, data] = [3_200, 'x'.repeat(65_536)];
let [before, largest, cut] = [0, 0, false];

const createServer = () => {
  const server = new McpServer({ name: 'talker', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('talk', {}, async (ctx) => {
    before = largest = process.memoryUsage.rss();
    try {
      for (let index = 0; index < count; index += 1) {
        await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        if (index % 16 !== 0) continue;
        await new Promise((resolve) => setImmediate(resolve));
        largest = Math.max(largest, process.memoryUsage.rss());
      }
    } finally {
      process.stdout.write(`${JSON.stringify({ cut, grown: (largest - before) / 1024 ** 2 })}\n`);
    }
    return { content: [] };
  });
  return server;
};

const sessions = await openRedisStore({ address, secrets: [Buffer.alloc(32, 7)] });
const record = ({ kind }) => (cut ||= kind === 'slow-reader');
const { port } = await listen({ createServer, sessions, tokens: [{ token }], record });
process.stdout.write(`${port}\n`);
