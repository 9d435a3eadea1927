import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { createMountView, parseMountTable, readMountTable } from './mount-table.ts';

const table = parseMountTable(
  [
    '22 1 254:0 / / rw - ext4 /dev/root rw',
    '30 22 8:1 / /media/me/My\\040Disk rw shared:1 - vfat /dev/sda1 rw',
    '31 22 254:0 /srv/data /data rw - ext4 /dev/root rw',
    '32 31 8:2 / /data rw - ext4 /dev/sdb rw',
    'garbage',
    '',
  ].join('\n'),
);

describe('the table of mounts', () => {
  test.each([
    ['/home/me', '/', '254:0 /'],
    ['/media/me/My Disk/app', '/media/me/My Disk', '8:1 /'],
    ['/media/me/My Disk', '/media/me/My Disk', '8:1 /'],
    ['/media/me/My Diskette', '/', '254:0 /'],
    ['/data/app', '/data', '8:2 /'],
  ])('finds the mount of %s', async (path, point, device) => {
    expect(await table.mountOf(path)).toEqual({ point, device });
  });

  test('of this machine holds the root', async () => {
    const mounts = await readMountTable();
    expect((await mounts.mountOf('/no/such/place'))?.point).toBe('/');
  });
});

describe('where the system keeps no table', () => {
  test('the devices of the directories above a path decide, whether or not it exists', async () => {
    using tree = tempTree(['a/b/']);
    const mounts = await readMountTable(tree.at('none'));
    expect(mounts.revision).toBeUndefined();
    const there = await mounts.mountOf(tree.at('a/b'));
    expect(await mounts.mountOf(tree.at('a/none/deep'))).toEqual(there);
    expect(tree.path.startsWith(there?.point ?? 'nowhere')).toBe(true);
  });

  test.runIf(mayMount())('a mount is distinguished from its surroundings (needs to mount)', async () => {
    using tree = tempTree(['disk/']);
    const mounts = await readMountTable(tree.at('none'));
    expect((await mounts.mountOf(tree.at('disk')))?.point).not.toBe(tree.at('disk'));
    execFileSync('mount', ['-t', 'tmpfs', 'rootward-test', tree.at('disk')]);
    try {
      expect((await mounts.mountOf(tree.at('disk/x/y')))?.point).toBe(tree.at('disk'));
      expect((await (await readMountTable()).mountOf(tree.at('disk/x')))?.point).toBe(tree.at('disk'));
    } finally {
      execFileSync('umount', [tree.at('disk')]);
    }
  });
});

function mayMount(): boolean {
  using tree = tempTree(['d/']);
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'rootward-test', tree.at('d')], { stdio: 'pipe' });
    execFileSync('umount', [tree.at('d')]);
    return true;
  } catch {
    return false;
  }
}

describe('the cached view of the table', () => {
  test('is read once a second, and parsed when it has changed', () => {
    const texts = ['1 0 0:1 / / rw,nosymfollow shared:1 - ext4 x rw', '2 1 0:2 / /usb rw - vfat y rw'];
    let [now, reads] = [0, 0];
    const view = createMountView(
      () => texts[Math.min(Math.floor(reads++ / 2), 1)] ?? '',
      () => now,
    );
    const first = view();
    expect(first).toEqual([
      { id: '1', point: '/', device: '0:1 /', options: ['rw', 'nosymfollow'], type: 'ext4' },
    ]);
    now = 999;
    expect(view()).toBe(first);
    expect(reads).toBe(1);
    now = 1_000;
    expect(view()).toBe(first);
    expect(reads).toBe(2);
    now = 2_000;
    expect(view()).toMatchObject([{ id: '2', point: '/usb', type: 'vfat' }]);
  });

  test('is unknown where it cannot be read', () => {
    const view = createMountView(() => readFileSync('/none/mountinfo', 'utf8'));
    expect(view()).toBeUndefined();
  });
});
