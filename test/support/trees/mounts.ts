import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { canRun, type SystemProgram } from '../processes/system-programs.ts';

/** A disk that is mounted until it is disposed of. */
export interface MountedDisk extends Disposable {
  readonly path: string;
  /** Gives a file the short name that Windows would give it, where the disk needs to be told. */
  readonly nameShortly: (path: string, short: string) => void;
}

export interface DiskKind {
  readonly title: string;
  /** Why it cannot be mounted here; `undefined` if it can. */
  readonly missing: string | undefined;
  readonly mount: () => MountedDisk;
}

/** Real disks that know more names for a file than they list, as far as this machine can mount them. */
export const diskKinds: readonly DiskKind[] = [
  {
    title: 'NTFS with streams',
    missing: whyNot('ntfs-3g', 'setfattr'),
    mount: () => mountImage('mkntfs -q -F', 'ntfs-3g -o umask=077,streams_interface=windows', 8),
  },
  {
    title: 'NTFS without case',
    missing: whyNot('ntfs-3g', 'setfattr'),
    mount: () => mountImage('mkntfs -q -F', 'lowntfs-3g -o umask=077,ignore_case', 8),
  },
  {
    title: 'FAT whose files have a new number under each name',
    missing: whyNot('fusefat', 'mkfs.vfat'),
    mount: () => mountImage('mkfs.vfat', 'fusefat -o rw+', 34),
  },
];

function whyNot(...programs: readonly SystemProgram[]): string | undefined {
  if (process.platform !== 'linux' || !existsSync('/dev/fuse')) return 'this system has no FUSE';
  if (process.getuid?.() !== 0) return 'only root can mount disks';
  const missing = programs.filter((program) => !canRun(program));
  return missing.length === 0 ? undefined : `install ${missing.join(', ')}`;
}

function mountImage(make: string, mount: string, megabytes: number): MountedDisk {
  const tree = tempTree(['disk/']);
  const image = tree.at('image');
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  const run = (line: string, ...args: readonly string[]): void => {
    const [program = '', ...options] = line.split(' ');
    execFileSync(program, [...options, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  run(make, image);
  run(mount, image, tree.at('disk'));
  return {
    path: tree.at('disk'),
    nameShortly(path, short) {
      try {
        run('setfattr -n system.ntfs_dos_name -v', short, path);
      } catch {
        // Where the disk makes short names itself, or has none, it cannot be told.
      }
    },
    [Symbol.dispose]: () => {
      execFileSync('umount', ['-l', tree.at('disk')]);
      tree[Symbol.dispose]();
    },
  };
}

/** Directories on a disk, which `tempTree` cannot make there. */
export function fillDisk(top: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(`${top}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
    writeFileSync(`${top}/${path}`, text);
  }
}
