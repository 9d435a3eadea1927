// Sends 200 MiB to a client that does not read, and tells by how many MiB the process grew. With `naive` the
// same bytes are written as a server without a bound would write them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { McpServer } from '@modelcontextprotocol/server';
import { listen } from '../../../.build/src/http/listen.js';

const [count, data] = [3_200, 'x'.repeat(65_536)];
const token = 'a-token-that-is-long-enough-to-be-one';
const pause = () => new Promise((resolve) => setImmediate(resolve));

let largest = 0;
const watch = setInterval(() => (largest = Math.max(largest, process.memoryUsage.rss())), 5);
const report = process.argv[2] === 'naive' ? await naive() : await bounded();
clearInterval(watch);
process.stdout.write(JSON.stringify(report));
process.exit(0);

async function bounded() {
  let [cut, ended] = [false, () => {}];
  const done = new Promise((resolve) => (ended = resolve));
  const createTalker = () => {
    const server = new McpServer({ name: 'talker', version: '1' }, { capabilities: { logging: {} } });
    server.registerTool('talk', {}, async (ctx) => {
      try {
        for (let index = 0; index < count; index += 1) {
          await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
          if (index % 16 === 0) await pause();
        }
      } finally {
        ended();
      }
      return { content: [] };
    });
    return server;
  };
  const record = ({ kind }) => (cut ||= kind === 'slow-reader');
  const endpoint = await listen({ createServer: createTalker, tokens: [{ token }], record });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (body, more = {}) =>
    fetch(endpoint.url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'x', version: '1' }, capabilities: {} };
  const begun = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await begun.text();
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') };
  const before = process.memoryUsage.rss();
  const socket = await openSocket(endpoint.port);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'talk' } });
  const lines = { host: `127.0.0.1:${endpoint.port}`, ...headers, ...session, 'content-length': body.length };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  await done;
  return { grown: (largest - before) / 1024 ** 2, cut };
}

async function naive() {
  const before = process.memoryUsage.rss();
  const done = new Promise((resolve) => {
    const flood = async (response) => {
      for (let index = 0; index < count; index += 1) {
        response.write(`data: ${data}\n\n`);
        if (index % 16 === 0) await pause();
      }
      resolve();
    };
    const ask = async () => {
      const socket = await openSocket(server.address().port);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    };
    const server = createServer((_request, response) => void flood(response));
    server.listen(0, '127.0.0.1', () => void ask());
  });
  await done;
  return { grown: (largest - before) / 1024 ** 2, cut: false };
}

async function openSocket(port) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  return socket;
}
