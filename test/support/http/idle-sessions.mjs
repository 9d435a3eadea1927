// Begins sessions over HTTP and tells how many bytes of heap each of them keeps. Needs --expose-gc.
import { Agent, request } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { listen } from '../../../.build/src/http/listen.js';

const token = 'a-token-that-is-long-enough-to-be-one';
const createServer = () => new McpServer({ name: 'idle', version: '1' }, { capabilities: { tools: {} } });
const limits = { sessionBurst: 10_000, sessionsPerSecond: 10_000 };
const endpoint = await listen({ createServer, tokens: [{ token }], limits });
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

await begin(500);
const before = await heap();
await begin(1_000);
const after = await heap();
process.stdout.write(JSON.stringify({ bytes: (after - before) / 1_000 }));
process.exit(0);

async function begin(count) {
  for (let done = 0; done < count; done += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => initialize(done + index)));
  }
}

function initialize(id) {
  const params = {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'some-editor', version: `1.${id}.0`, title: 'An editor in use' },
    capabilities: { roots: { listChanged: true }, elicitation: {}, sampling: {} },
  };
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: '*/*' };
    const outgoing = request(endpoint.url, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', resolve);
    });
    outgoing.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params }));
  });
}

async function heap() {
  let least = Infinity;
  for (let round = 0; round < 6; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.gc();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}
