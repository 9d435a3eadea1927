import { expect, test } from 'vitest';
import { difficultClients } from './difficult-clients.ts';
import { probeServer } from './probe-server.ts';

/** A minimal server that asks for roots in every call, waits for ever, and writes noise to stdout. */
const naive = `
  import { createInterface } from 'node:readline';
  console.log('naive server is up');
  let call;
  const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, result } = JSON.parse(line);
    if (method === 'initialize') send({ id, result: { capabilities: {} } });
    if (method === 'tools/call') { call = id; send({ id: 'ask-' + id, method: 'roots/list' }); }
    if (method === undefined) send({ id: call, result: { content: [], count: result.roots.length } });
  });
`;
const server = { command: process.execPath, args: ['--input-type=module', '-e', naive] };

test('a good client shows that the server works, and that it writes noise', async () => {
  const report = await probeServer(server, {
    client: difficultClients.cooperative,
    roots: [{ uri: 'file:///a' }],
    calls: [{ tool: 'any' }, { tool: 'any' }],
  });
  expect(report.greeted).toBe(true);
  expect(report.calls).toMatchObject([
    { outcome: 'result', result: { count: 1 } },
    { outcome: 'result', result: { count: 1 } },
  ]);
  expect(report.asks.map(({ call }) => call)).toEqual([1, 2]);
  expect(report.noise).toEqual(['naive server is up']);
  expect(report.exit).toEqual({ code: 0, signal: null, stopped: false });
});

test('a silent client reveals that the server waits for ever', async () => {
  const report = await probeServer(server, {
    client: difficultClients.silent,
    calls: [{ tool: 'any' }],
    bound: 300,
  });
  expect(report.calls).toMatchObject([{ outcome: 'silence' }]);
  expect(report.calls[0]?.milliseconds).toBeGreaterThanOrEqual(299);
});

test('a client without roots reveals that the server asks it', async () => {
  const report = await probeServer(server, {
    client: difficultClients.undeclared,
    calls: [{ tool: 'any' }],
  });
  expect(report.asks).toHaveLength(1);
});
