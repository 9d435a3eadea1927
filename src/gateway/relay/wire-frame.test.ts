import { expect, test } from 'vitest';
import {
  errorReply,
  frameOf,
  messageIn,
  readFrame,
  replaceField,
  resultReply,
  valueIn,
} from './wire-frame.ts';

const line = '{ "jsonrpc":"2.0","params":{"_meta":{"progressToken":0}}, "id":"a","method":"b"}\r\n';

test('reads what is needed to route a message', () => {
  expect(readFrame(Buffer.from(line))).toMatchObject({ id: 'a', method: 'b' });
  expect(readFrame(Buffer.from('{"jsonrpc":"2.0","id":null,"error":{}}'))).toMatchObject({ id: undefined });
  expect(readFrame(Buffer.from('{"level":"info"}'))).toBeUndefined();
});

test('replaces one value and keeps every other byte', () => {
  const frame = frameOf({});
  expect(replaceField(frame, 'id', 1)).toBe(frame.bytes);
  const known = readFrame(Buffer.from(line));
  expect(known && replaceField(known, 'id', 7).toString()).toBe(line.replace('"a"', '7'));
});

test('reads a value deep inside, and nothing where there is none', () => {
  const frame = frameOf({ jsonrpc: '2.0', params: { _meta: { progressToken: 0 }, list: [1] } });
  expect(valueIn(frame, 'params', '_meta', 'progressToken')).toBe(0);
  expect(valueIn(frame, 'params', 'list', 'x')).toBeUndefined();
  expect(valueIn(frame, 'result')).toBeUndefined();
  expect(messageIn(frame)).toMatchObject({ params: { list: [1] } });
});

test('answers have the form of JSON-RPC', () => {
  expect(errorReply(null, -1, 'no')).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -1, message: 'no' },
  });
  expect(resultReply(1, {})).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});
