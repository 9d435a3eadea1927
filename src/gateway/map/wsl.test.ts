import { expect, test } from 'vitest';
import { createPathMap, mapText } from './path-map.ts';
import { findWslMappings, wslDistribution } from './wsl.ts';

/** As the kernel of WSL 2 writes it: the automount root is not `/mnt`. */
const mountinfo = [
  '70 62 0:47 / /win/c rw,noatime - 9p C:\\134 rw,aname=drvfs;path=C:\\134;uid=1000;symlinkroot=/win/,mmap,access=client',
  '71 62 0:48 / /win/my\\040drive rw - 9p D:\\134 rw,aname=drvfs;path=D:\\134;uid=1000,mmap',
  '72 62 0:49 / /old rw - drvfs E: rw,noatime',
  '73 62 0:50 / /mnt/x rw - ext4 /dev/sda rw',
  '74 62 0:51 / /run/share rw - 9p other rw,aname=share,mmap',
  'nonsense',
].join('\n');

const toLinux = createPathMap(findWslMappings({ distribution: 'Ubuntu', mountinfo, linux: 'server' }));
const toWindows = createPathMap(findWslMappings({ distribution: 'Ubuntu', mountinfo, linux: 'client' }));

test.each([
  ['C:\\Users\\me', '/win/c/Users/me'],
  ['d:/a', '/win/my drive/a'],
  ['E:\\a', '/old/a'],
  ['X:\\a', undefined],
  ['\\\\wsl.localhost\\Ubuntu\\home\\me', '/home/me'],
  ['\\\\wsl$\\ubuntu\\home\\me', '/home/me'],
  ['//wsl$/Ubuntu/home/me', '/home/me'],
  ['\\\\wsl.localhost\\Debian\\home', undefined],
  ['file://wsl.localhost/Ubuntu/home/me', 'file:///home/me'],
  ['file://wsl$/Ubuntu/home/me', 'file:///home/me'],
  ['file://wsl%24/Ubuntu/home/me', 'file:///home/me'],
])('P8: %s on Windows is %j in the distribution', (text, mapped) => {
  expect(mapText(toLinux, 'client', text)).toBe(mapped);
});

test.each([
  ['/win/c/a', 'C:\\a'],
  ['/home/me', '\\\\wsl.localhost\\Ubuntu\\home\\me'],
  ['/mnt/c/a', '\\\\wsl.localhost\\Ubuntu\\mnt\\c\\a'],
  ['file:///home/me', 'file://wsl.localhost/Ubuntu/home/me'],
])('P9: %s in the distribution is %j for a server on Windows', (text, mapped) => {
  expect(mapText(toWindows, 'client', text)).toBe(mapped);
  expect(mapText(toWindows, 'server', mapped)).toBe(text);
});

test('P8: without a mount table no drive is guessed', () => {
  const map = createPathMap(findWslMappings({ distribution: 'Ubuntu', linux: 'server' }));
  expect(mapText(map, 'client', 'C:\\a')).toBeUndefined();
  expect(map.refused).toStrictEqual([]);
});

test.each([
  [['wsl.exe', '-d', 'Ubuntu', '--', 'node'], 'Ubuntu'],
  [['C:\\Windows\\System32\\wsl.exe', '--distribution', 'Ubuntu', 'node'], 'Ubuntu'],
  [['wsl', '--distribution=Ubuntu', 'node'], 'Ubuntu'],
  [['wsl.exe', 'node'], ''],
  [['wsl.exe', '-e', 'x', '-d', 'no'], ''],
  [['wslview', 'x'], undefined],
  [['node'], undefined],
])('P8: %j starts the distribution %j', (command, distribution) => {
  expect(wslDistribution(command)).toBe(distribution);
});
