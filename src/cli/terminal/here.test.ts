import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { fromTerminal } from './here.ts';

const quiet = { write: () => undefined };
const context = { process: { stdout: quiet, stderr: quiet }, cwd: '/here' };

test.each([
  ['app', '/here/app'],
  ['.', '/here'],
  ['../app', '/app'],
  ['/srv/app', '/srv/app'],
  ['~/app', `${homedir()}/app`],
  ['~', homedir()],
  ['~other', '/here/~other'],
  ['', ''],
  ['file:///srv/app', 'file:///srv/app'],
  ['http://example.com/path', 'http://example.com/path'],
])('%j is %j', (path, expected) => {
  expect(fromTerminal(context, path)).toBe(expected);
});
