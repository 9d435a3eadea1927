import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import {
  type ProtocolError,
  rootAccessDenied,
  rootsNotAvailable,
  rootsNotSupported,
  toProtocolError,
} from './protocol-error.ts';

test.each<[string, ProtocolError, object]>([
  [
    'not supported',
    rootsNotSupported(),
    {
      code: -32_601,
      message: 'Roots not supported',
      data: { reason: 'Client does not have roots capability' },
    },
  ],
  [
    'denied',
    rootAccessDenied(),
    { code: -32_603, message: 'Root access denied', data: { reason: 'Insufficient permissions' } },
  ],
  [
    'not available',
    rootsNotAvailable('x'),
    { code: -32_603, message: 'Roots not available', data: { reason: 'x' } },
  ],
])('%s', (_what, error, expected) => {
  expect({ code: error.code, message: error.message, data: error.data }).toEqual(expected);
  expect(toProtocolError(error)).toBe(error);
});

test.each<[unknown, number, object]>([
  [new RootwardError('INVALID_URI', { uri: 'x:y', reason: 'no' }), -32_602, { uri: 'x:y', reason: 'no' }],
  [
    new RootwardError('NO_PERMISSION', { verb: 'open', path: '/secret' }),
    -32_603,
    { reason: 'Insufficient permissions' },
  ],
  [
    new RootwardError('AUDIT_FAILED', { reason: '/secret' }),
    -32_603,
    { reason: 'the answer could not be recorded' },
  ],
  [
    new RootwardError('STORE_DAMAGED', { file: '/secret', line: 1, column: 1, reason: '' }),
    -32_603,
    { reason: 'an internal error' },
  ],
  [new Error('/secret'), -32_603, { reason: 'an internal error' }],
  ['/secret', -32_603, { reason: 'an internal error' }],
])('%s is told without a path', (error, code, data) => {
  const told = toProtocolError(error);
  expect([told.code, told.data]).toEqual([code, data]);
  expect(`${told.message} ${JSON.stringify(told.data)}`).not.toContain('secret');
});
