import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { findSettingOrigins, pointAt } from './setting-origins.ts';

const silent = { flags: {}, variables: {}, file: {}, config: undefined } as const;

test('the origin of a setting is its variable or key, unless a flag set it', () => {
  const variables = { logFile: '/a.log', merge: 'client' } as const;
  const file = { logFile: '/b.log', host: ['a.example'], shellTmp: 9 };
  expect(findSettingOrigins({ flags: { merge: 'union' }, variables, file, config: '/etc/s.jsonc' })).toEqual({
    '--log-file': 'ROOTWARD_LOG_FILE',
    '--host': '"/etc/s.jsonc" hosts',
    '--shell-tmp': '"/etc/s.jsonc" shell.tmp',
  });
  expect(findSettingOrigins(silent)).toEqual({});
});

test('an error names the setting to change', () => {
  const error = new RootwardError('INVALID_CONFIG', { where: '--log-file', reason: 'it is full' });
  expect(pointAt(error, { '--log-file': 'ROOTWARD_LOG_FILE' })).toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: 'ROOTWARD_LOG_FILE', reason: 'it is full' },
  });
  expect(pointAt(error, {})).toBe(error);
});

test('leaves other errors alone', () => {
  const error = new Error('--log-file');
  expect(pointAt(error, { '--log-file': 'ROOTWARD_LOG_FILE' })).toBe(error);
});
