import { describe, expect, test } from 'vitest';
import { findDanger, type MachinePlaces } from './danger.ts';

const posix: MachinePlaces = {
  platform: 'posix',
  home: '/home/u',
  temporary: '/var/folders/x/T',
  ownPackage: '/home/u/tools/node_modules/server',
};
const windows: MachinePlaces = {
  platform: 'win32',
  home: 'C:\\Users\\u',
  temporary: 'C:\\Users\\u\\AppData\\Local\\Temp',
};

describe('on posix', () => {
  test.each([
    ['/', 'file-system'],
    ['//', 'file-system'],
    ['/home/u', 'home'],
    ['/home/u/', 'home'],
    ['/home', 'above-home'],
    ['/tmp', 'temporary'],
    ['/private/tmp', 'temporary'],
    ['/var/folders/x/T', 'temporary'],
    ['/home/u/.claude/plugins/cache/x', 'plugin-cache'],
    ['/home/u/.codex/plugins', 'plugin-cache'],
    ['/home/u/.npm/_npx/abc/node_modules/x', 'runner-cache'],
    ['/home/u/.cache/uv/archive', 'runner-cache'],
    ['/home/u/.bun/install/cache', 'runner-cache'],
    ['/Applications/Visual Studio Code.app/Contents/MacOS', 'installation'],
    ['/etc', 'system'],
    ['/etc/nginx', 'system'],
    ['/usr/bin', 'system'],
    ['/System/Library', 'system'],
    ['/usr', 'system'],
    ['/Users', 'system'],
    ['/proc/1', 'system'],
    ['/home/u/tools/node_modules/server', 'own-package'],
    ['/home/u/tools/node_modules/server/dist', 'own-package'],
  ])('%s is refused: %s', (path, rule) => {
    expect(findDanger(path, posix)?.rule).toBe(rule);
  });

  test('the directory of a plugin is refused, with its content', () => {
    const around = { ...posix, plugins: ['/opt/plugin'] };
    expect(findDanger('/opt/plugin/server', around)?.rule).toBe('plugin-cache');
    expect(findDanger('/opt/plugins', around)).toBeUndefined();
  });

  test.each([
    '/home/u/app',
    '/home/user2/app',
    '/tmp/app',
    '/var/folders/x/T/app',
    '/srv/app',
    '/opt/app',
    '/usr/src/app',
    '/home/u/tools',
    '/home/u/plugins',
    '/home/u/Cursor/app',
    '/etcetera',
    '/workspace',
  ])('%s may be a project', (path) => {
    expect(findDanger(path, posix)).toBeUndefined();
  });
});

describe('on Windows', () => {
  test.each([
    ['C:\\', 'file-system'],
    ['d:/', 'file-system'],
    ['\\\\server\\share', 'file-system'],
    ['c:\\users\\U', 'home'],
    ['C:\\Users', 'above-home'],
    ['C:\\Windows\\System32', 'system'],
    ['C:\\Program Files\\App', 'system'],
    ['C:\\Users\\u\\AppData\\Local\\Temp', 'temporary'],
    ['C:\\Users\\u\\AppData\\Local\\Programs\\cursor', 'installation'],
    ['C:\\Users\\u\\.claude\\plugins\\x', 'plugin-cache'],
    ['C:\\Users\\u\\AppData\\Local\\npm-cache\\_npx\\x', 'runner-cache'],
  ])('%s is refused: %s', (path, rule) => {
    expect(findDanger(path, windows)?.rule).toBe(rule);
  });

  test.each(['C:\\Users\\u\\app', 'D:\\code', 'C:\\WindowsApp', '\\\\server\\share\\app'])(
    '%s may be a project',
    (path) => {
      expect(findDanger(path, windows)).toBeUndefined();
    },
  );
});

test('a finding has its reason in words', () => {
  expect(findDanger('/', posix)).toEqual({ rule: 'file-system', reason: 'it is a whole file system' });
});
