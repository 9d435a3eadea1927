import { expect, test } from 'vitest';
import { sharedCapabilities, toNewerError, toNewerResult, toOlderResult } from './results.ts';

const meta = { 'io.modelcontextprotocol/serverInfo': { name: 's' }, vendor: 1 };

test('an older client gets no fields that only 2026-07-28 has, and everything else', () => {
  const result = {
    resultType: 'complete',
    ttlMs: 5,
    cacheScope: 'public',
    content: [],
    extra: 1,
    _meta: meta,
  };
  expect(toOlderResult('tools/call', result)).toStrictEqual({ content: [], extra: 1, _meta: { vendor: 1 } });
});

test('a tool whose output is no object stays in the list without its schema', () => {
  const tools = [
    { name: 'a', outputSchema: { type: 'object' } },
    { name: 'b', outputSchema: { type: 'array' } },
    { name: 'c' },
    'strange',
  ];
  expect(toOlderResult('tools/list', { tools })).toStrictEqual({
    tools: [{ name: 'a', outputSchema: { type: 'object' } }, { name: 'b' }, { name: 'c' }, 'strange'],
  });
});

test('structured content that is no object is left out for an older client; its text stays', () => {
  expect(toOlderResult('tools/call', { content: [1], structuredContent: [2] })).toStrictEqual({
    content: [1],
  });
  const kept = { content: [], structuredContent: { a: 1 } };
  expect(toOlderResult('tools/call', kept)).toStrictEqual(kept);
});

const whole = { resultType: 'complete' };
const kept = { ...whole, ttlMs: 0, cacheScope: 'private' };
test.each([
  ['tools/list', kept],
  ['prompts/list', kept],
  ['resources/list', kept],
  ['resources/templates/list', kept],
  ['resources/read', kept],
  ['server/discover', kept],
  ['tools/call', whole],
  ['prompts/get', whole],
  ['completion/complete', whole],
])('a result of %s is complete, and never kept', (method, added) => {
  expect(toNewerResult(method, { a: 1 })).toStrictEqual({ a: 1, ...added });
});

test('a newer client learns who the server is, and nothing of its tasks', () => {
  const tools = [{ name: 'a', execution: { taskSupport: 'optional' } }];
  expect(toNewerResult('tools/list', { tools }, { name: 's' })).toStrictEqual({
    tools: [{ name: 'a' }],
    ...kept,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's' } },
  });
  expect(sharedCapabilities({ tools: {}, tasks: {}, extensions: {} })).toStrictEqual({ tools: {} });
});

test('"resource not found" has another code in 2026-07-28; others stay', () => {
  expect(toNewerError({ code: -32_002, message: 'm' })).toStrictEqual({ code: -32_602, message: 'm' });
  expect(toNewerError({ code: -32_000, data: 1 })).toStrictEqual({ code: -32_000, data: 1 });
});
