// Begins COUNT sessions at PORT at once and reports what each was told, as [status, seconds to wait]. On a busy machine
// a request can be so late that the node has hung up: that client comes again.
import { Agent, request } from 'node:http';

const [port, count, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(count) });
const params = {
  protocolVersion: '2025-11-25',
  clientInfo: { name: 'storm', version: '1' },
  capabilities: {},
};
const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const begin = (left = 5) =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers, agent },
      (response) => {
        const { statusCode, headers: answered } = response;
        response.resume().on('end', () => resolve([statusCode, Number(answered['retry-after'] ?? 0)]));
      },
    );
    outgoing
      .on('error', (error) => {
        if (error.code === 'ECONNRESET' && left > 0) resolve(begin(left - 1));
        else reject(error);
      })
      .end(body);
  });

process.stdout.write(JSON.stringify(await Promise.all(Array.from({ length: Number(count) }, () => begin()))));
agent.destroy();
