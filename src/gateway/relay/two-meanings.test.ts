import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasTwoMeanings } from './two-meanings.ts';
import { readFrame } from './wire-frame.ts';

function isRefused(line: string): boolean {
  const frame = readFrame(Buffer.from(line));
  return frame === undefined || hasTwoMeanings(frame);
}

const call = '"jsonrpc":"2.0","id":1,"method":"tools/call"';

test.each([
  ['a method twice', '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping"}'],
  ['a method in other letters', '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}'],
  ['only a method in other letters', '{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","method":"ping"}'],
  ['a name twice', `{${call},"params":{"name":"delete","name":"read"}}`],
  ['a name in escaped letters', `{${call},"params":{"n\\u0061me":"delete","name":"read"}}`],
  ['a name in other letters', `{${call},"params":{"name":"read","Name":"delete"}}`],
  ['parameters twice', `{${call},"params":{"name":"delete"},"params":{"name":"read"}}`],
  ['parameters in other letters', `{${call},"params":{"name":"read"},"Params":{"name":"delete"}}`],
  ['parameters that are a list', `{${call},"params":["delete"]}`],
  ['a second object', `{${call},"params":{"name":"read"}}{${call},"params":{"name":"delete"}}`],
  ['a second object after a space', '{"jsonrpc":"2.0","method":"ping","id":1} {"jsonrpc":"2.0"}'],
  [
    'a line that another reader splits',
    `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":\r{${call}}\r}}\n`,
  ],
  ['a value that is no JSON', '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"a":bad}}'],
])('%s is refused', (_name, line) => {
  expect(isRefused(line)).toBe(true);
});

test.each([
  ['a call', `{${call},"params":{"name":"read","arguments":{"Name":1,"name":2}}}`],
  ['spaces and line breaks', ` {${call}, "params" : {"name":"read"} } \r\n`],
  ['parameters that are null', `{${call},"params":null}`],
  ['no parameters', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['unknown fields', `{${call},"extra":1,"params":{"name":"read","Other":1,"other":2}}`],
  ['answers of a second round', `{${call},"params":{"name":"a","inputResponses":{},"requestState":"s"}}`],
])('%s passes', (_name, line) => {
  expect(isRefused(line)).toBe(false);
});

test('whatever JSON.stringify makes of a request has one meaning', () => {
  const params = fc.dictionary(
    fc.string().filter((name) => !/^(?:name|arguments|uri|_meta|inputresponses|requeststate)$/i.test(name)),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(params, fc.string(), (more, name) => {
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...more, name } };
      expect(isRefused(`${JSON.stringify(request)}\n`)).toBe(false);
    }),
  );
});
