import { expect, test } from 'vitest';
import { shellEnvironment } from './shell-environment.ts';

const source = {
  PATH: '/home/me/bin:/opt/node/bin:/usr/bin:relative',
  HOME: '/home/me',
  LANG: 'de_DE.UTF-8',
  GITHUB_TOKEN: 'secret',
  MY_FLAG: 'on',
};
const onPosix = process.platform !== 'win32';

test.runIf(onPosix)('a sandbox gets what is harmless, and its own places', () => {
  const environment = shellEnvironment(source, { confined: true, pass: [], readable: ['/opt/node'] });
  expect(environment).toEqual({
    PATH: '/opt/node/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin',
    HOME: '/tmp',
    TMPDIR: '/tmp',
    LANG: 'de_DE.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
  });
});

test.runIf(onPosix)('without a sandbox a program finds its own things, and no secrets', () => {
  const environment = shellEnvironment(source, {
    confined: false,
    pass: ['MY_FLAG', 'MISSING'],
    readable: [],
  });
  expect(environment).toMatchObject({ PATH: source.PATH, HOME: '/home/me', MY_FLAG: 'on' });
  expect(Object.keys(environment)).not.toContain('GITHUB_TOKEN');
  expect(Object.keys(environment)).not.toContain('MISSING');
});

test('what the operator names is passed on', () => {
  const options = { confined: true, pass: ['GITHUB_TOKEN'], readable: [] };
  expect(shellEnvironment(source, options)['GITHUB_TOKEN']).toBe('secret');
});
