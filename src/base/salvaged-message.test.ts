import { describe, expect, test } from 'vitest';
import { SalvagedMessage } from './salvaged-message.ts';

/** Byte by byte, and in one piece: the boundaries must not matter. */
function requestIdIn(text: string): unknown {
  const [whole, cut] = [new SalvagedMessage(), new SalvagedMessage()];
  const bytes = Buffer.from(text);
  whole.push(bytes);
  for (const byte of bytes) cut.push(Uint8Array.of(byte));
  expect(cut.requestId).toBe(whole.requestId);
  return whole.requestId;
}

describe('the id of a request that is too long', () => {
  const params = { id: 'not this', list: [{ id: 5 }], text: '"id":6,}{][\\"' };
  test.each([
    ['before everything else', { jsonrpc: '2.0', id: 7, method: 'a', params }, 7],
    ['after everything else', { method: 'a', params, jsonrpc: '2.0', id: 7 }, 7],
    ['as text', { id: 'ä"\\', method: 'a', params }, 'ä"\\'],
    ['zero', { id: 0, method: 'a' }, 0],
  ])('is found %s', (_where, message, id) => {
    expect(requestIdIn(JSON.stringify(message))).toBe(id);
    expect(requestIdIn(JSON.stringify(message, undefined, 2))).toBe(id);
  });

  test.each([
    ['of a notification', '{"jsonrpc":"2.0","method":"a","params":{"id":1}}'],
    ['of an answer: it is a question of ours', '{"jsonrpc":"2.0","id":1,"result":{"method":"x"}}'],
    ['that is an object', '{"id":{},"method":"a"}'],
    ['that is longer than ids are', `{"id":"${'x'.repeat(300)}","method":"a"}`],
    ['of what is no message', 'x'.repeat(1_000)],
    ['of a list', '[{"id":1,"method":"a"}]'],
    ['of a message that never ended', '{"params":{"a":[1,'],
  ])('is not invented: %s', (_what, text) => {
    expect(requestIdIn(text)).toBeUndefined();
  });
});
