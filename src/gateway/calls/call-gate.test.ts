import { expect, test, vi } from 'vitest';
import { frameOf, messageIn, readFrame } from '../relay/wire-frame.ts';
import { CallGate, type GateParts } from './call-gate.ts';

const { signal } = new AbortController();
const call = (name: string) => frameOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });

function gate(parts: Partial<GateParts>): CallGate {
  return new CallGate({
    rules: {},
    roots: { check: async () => ({ allowed: false, rule: 'outside-roots', reason: 'no' }) },
    listTools: async () => ({ tools: [] }),
    ask: async () => undefined,
    ...parts,
  });
}

test('what no rule is about is decided at once, or not at all', () => {
  expect(gate({}).decide(call('a'), signal)).toMatchObject({ verdict: 'allow' });
  expect(gate({}).decide(frameOf({ jsonrpc: '2.0', id: 1, method: 'ping' }), signal)).toBeUndefined();
  const read = frameOf({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'https://x' } });
  expect(gate({}).decide(read, signal)).toBeUndefined();
});

test.each([
  ['a name that is no text', 'tools/call', { name: { toString: 1, valueOf: 1 } }, 'no-tool'],
  ['no name', 'tools/call', {}, 'no-tool'],
  ['a name of any length', 'tools/call', { name: 'x'.repeat(1_025) }, 'no-tool'],
  ['a space before the URI', 'resources/read', { uri: ' file:///etc/passwd' }, 'unreadable-uri'],
  ['a tab in the URI', 'resources/read', { uri: 'fi\tle:///etc/passwd' }, 'unreadable-uri'],
  ['a list for a URI', 'resources/read', { uri: ['file:///etc/passwd'] }, 'unreadable-uri'],
  ['a path for a URI', 'resources/read', { uri: '/etc/passwd' }, 'outside-roots'],
  ['capitals in the scheme', 'resources/subscribe', { uri: 'FILE:///etc/passwd' }, 'outside-roots'],
])('%s is refused', async (_name, method, params, rule) => {
  const frame = frameOf({ jsonrpc: '2.0', id: 1, method, params });
  expect(await gate({}).decide(frame, signal)).toMatchObject({ verdict: 'deny', rule });
});

test('a server that never lists its tools does not hold a call', async () => {
  vi.useFakeTimers();
  try {
    const silent = gate({ rules: { readOnly: true }, listTools: () => new Promise(() => undefined) });
    const decision = silent.decide(call('a'), signal);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await decision).toMatchObject({ verdict: 'deny', rule: 'read-only' });
  } finally {
    vi.useRealTimers();
  }
});

test('the tools of all pages are read once, and again after a change or a failure', async () => {
  let asked = 0;
  const pages: Readonly<Record<string, object>> = {
    '': { tools: [{ name: 'a', annotations: { readOnlyHint: true } }], nextCursor: 'two' },
    two: { tools: [{ name: 'b', annotations: { readOnlyHint: 'yes' } }] },
  };
  const listTools = async (cursor = ''): Promise<unknown> => {
    asked += 1;
    if (asked === 1) throw new Error('not yet');
    return pages[cursor];
  };
  const judged = gate({ rules: { readOnly: true }, listTools });
  const verdict = async (name: string) => (await judged.decide(call(name), signal))?.verdict;
  expect(await verdict('a')).toBe('deny');
  expect([await verdict('a'), await verdict('b'), await verdict('c')]).toEqual(['allow', 'deny', 'deny']);
  expect(asked).toBe(3);
  judged.forgetTools();
  await verdict('a');
  expect(asked).toBe(5);
});

test('a question that fails is a no', async () => {
  const asking = gate({ rules: { askTool: ['*'] }, ask: async () => Promise.reject(new Error('gone')) });
  expect(await asking.decide(call('a'), signal)).toMatchObject({ verdict: 'deny', rule: 'ask-tool:*:no' });
});

test('a list keeps its bytes unless a tool is left out', () => {
  const list = frameOf({
    jsonrpc: '2.0',
    id: 1,
    result: { tools: [{ name: 'a', x: 1 }, { name: 'b' }], nextCursor: 'c' },
  });
  expect(gate({ rules: { denyTool: ['z'] } }).shownTools(list)).toBe(list.bytes);
  const shown = readFrame(gate({ rules: { denyTool: ['b'] } }).shownTools(list));
  expect(shown && messageIn(shown)).toMatchObject({
    result: { tools: [{ name: 'a', x: 1 }], nextCursor: 'c' },
  });
});
