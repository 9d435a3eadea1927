import { expect, test, vi } from 'vitest';
import { EraBridge } from './era-bridge.ts';
import { metaNames } from './eras/envelope.ts';
import { frameOf, messageIn, type WireFrame } from './relay/wire-frame.ts';

function open() {
  const sent: [to: string, message: unknown][] = [];
  let ids = 0;
  const note = (to: string) => (frame: WireFrame) => void sent.push([to, messageIn(frame)]);
  const bridge = new EraBridge({
    toClient: note('client'),
    toServer: note('server'),
    renewServer: () => void sent.push(['renew', {}]),
    tellRoots: async () => ({ roots: [], primary: undefined }),
    wantsRoots: () => false,
    rootsSaid: () => undefined,
    record: () => undefined,
    newId: () => `own-${(ids += 1)}`,
  });
  return { bridge, sent };
}

const envelope = { _meta: { [metaNames.version]: '2026-07-28', [metaNames.capabilities]: {} } };
const list = frameOf({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: envelope });

test('a server that is silent about its era gets a new process and initialize', async () => {
  vi.useFakeTimers();
  try {
    const { bridge, sent } = open();
    bridge.fromClient(list);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sent).toMatchObject([
      ['server', { method: 'server/discover' }],
      ['renew', {}],
      ['server', { method: 'initialize' }],
    ]);
    expect(bridge.serverEnded()).toBe(false);
    bridge.close();
  } finally {
    vi.useRealTimers();
  }
});

test('so does one that ends instead of an answer', () => {
  const { bridge, sent } = open();
  bridge.fromClient(list);
  expect(bridge.serverEnded()).toBe(true);
  expect(sent.map(([to]) => to)).toEqual(['server', 'renew', 'server']);
  bridge.close();
});

test('a server that refuses initialize is asked for its era, in a new process', () => {
  const { bridge, sent } = open();
  const initialize = frameOf({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {} },
  });
  bridge.adopt(initialize, frameOf({ jsonrpc: '2.0', id: 1, error: { code: -32_022, message: 'no' } }));
  expect(sent).toMatchObject([
    ['renew', {}],
    ['server', { method: 'server/discover' }],
  ]);
  bridge.close();
});
