import { expect, test } from 'vitest';
import { liesOnNoMount } from './liveness-mount.ts';

const system = { point: '/', device: '1:1 /' };

test.each([
  ['/media/me/stick/app', system, true],
  ['/run/media/me/stick', { point: '/run', device: '0:25 /' }, true],
  ['/mnt/data', system, true],
  ['/Volumes/Stick/app', system, true],
  ['/media/me/stick/app', { point: '/media/me/stick', device: '8:1 /' }, false],
  ['/mnt', system, false],
  ['/mntx/data', system, false],
  ['/home/me/app', system, false],
] as const)('what is missing at %s on %o lies on no mount: %s', (path, mount, expected) => {
  expect(liesOnNoMount(path, mount, 'posix')).toBe(expected);
});

test('a drive that the system does not know is no mount', () => {
  expect(liesOnNoMount('Z:\\app', undefined, 'win32')).toBe(true);
  expect(liesOnNoMount('C:\\app', { point: 'C:\\', device: '7' }, 'win32')).toBe(false);
});
