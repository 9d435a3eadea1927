import { expect, test } from 'vitest';
import { errorOf, faultIn, ProtocolFault } from './kit-server.ts';

test.each([
  [
    'a fault',
    new ProtocolFault(-32_602, 'no', { uri: 'x' }),
    { code: -32_602, message: 'no', data: { uri: 'x' } },
  ],
  ['another error', new Error('it broke'), { code: -32_603, message: 'it broke' }],
  [
    'an error of the system',
    Object.assign(new Error('gone'), { code: 'ENOENT' }),
    { code: -32_603, message: 'gone' },
  ],
  ['anything else', 'text', { code: -32_603, message: 'Internal error' }],
])('answers %s', (_case, error, expected) => {
  expect(errorOf(error)).toEqual({ error: expected });
});

test.each([
  [
    { code: -32_601, message: 'no such method' },
    { code: -32_601, message: 'no such method' },
  ],
  [{}, { code: -32_603, message: 'The client refused the request' }],
])('reads the error of a client', (error, expected) => {
  expect(faultIn(error)).toMatchObject(expected);
});
