/**
 * node balancer.js PORT NODE NODE …: each request goes to the next node. Only where no connection can be made
 * another one is tried: what was sent once may have been done. Real balancers do the same, and more.
 */
import { createServer, request } from 'node:http';

const [front, ...nodes] = process.argv.slice(2).map(Number);
let turn = 0;

createServer((incoming, outgoing) => {
  const order = nodes.map((_, index) => nodes[(turn + index) % nodes.length]);
  turn += 1;
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => pass(incoming, outgoing, { body: Buffer.concat(chunks), order }));
}).listen(front, '127.0.0.1', () => process.stdout.write(`balancer on http://127.0.0.1:${front}/mcp\n`));

function pass({ method, url, headers }, outgoing, { body, order: [port, ...others] }) {
  if (port === undefined) {
    outgoing.writeHead(503, { 'retry-after': '1' }).end();
    return;
  }
  const inner = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  outgoing.once('close', () => inner.destroy());
  inner.once('response', (response) => {
    outgoing.writeHead(response.statusCode, endToEnd(response.headers));
    // A stream has to begin before it has anything to say.
    outgoing.flushHeaders();
    response.pipe(outgoing);
    response.once('aborted', () => outgoing.destroy());
  });
  inner.once('error', ({ code }) => {
    if (code === 'ECONNREFUSED') pass({ method, url, headers }, outgoing, { body, order: others });
    else if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  inner.end(body);
}

/** What concerns one connection only. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding']);

function endToEnd(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}
