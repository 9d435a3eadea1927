import { posix } from 'node:path';
import type { Directory } from '../system/driver.ts';

/** A mask in bubblewrap's terms: handles are numbers; that of a hidden file is `/dev/null`. */
export type SandboxMask =
  | { readonly cover: 'empty'; readonly path: string }
  | { readonly cover: 'blank' | 'protect' | 'pin'; readonly path: string; readonly handle: number };

/** The contents of a sandbox. Paths are absolute; handles are numbers. */
export interface SandboxPlan {
  /** The path of the root, the same inside as outside. */
  readonly top: string;
  readonly topHandle: number;
  readonly writable: boolean;
  /** The working directory of the program. */
  readonly directory: string;
  readonly masks: readonly SandboxMask[];
  /** The handle to which bubblewrap reports how the program ended. */
  readonly statusHandle: number;
  readonly network: boolean;
  /** Further readable directories, such as toolchains. */
  readonly readable: readonly { readonly path: string; readonly handle: number }[];
  /** Existing files of `/proc` that programs in a sandbox do not need. */
  readonly masked: readonly string[];
  /** Size limit of `/tmp` and of `/dev/shm`, in bytes. */
  readonly temporary: number;
  /** Whether the program can be prevented from creating its own namespaces. */
  readonly refusesNesting: boolean;
}

/**
 * Read-only in every sandbox: programs, and the files of `/etc` that programs need and that contain no
 * secrets. Never the whole of `/etc`: as root, a sandbox could read its secrets.
 */
export const systemPlaces = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/run/current-system/sw',
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ca-certificates.conf',
  '/etc/crypto-policies',
  '/etc/fonts',
  '/etc/group',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/locale.alias',
  '/etc/localtime',
  '/etc/magic',
  '/etc/mime.types',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/protocols',
  '/etc/services',
  '/etc/ssl/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/timezone',
] as const;

const networkPlaces = ['/etc/gai.conf', '/etc/host.conf', '/etc/hosts', '/etc/resolv.conf'] as const;

/** Files of `/proc` that reveal or control the machine, and check only the file's owner. */
export const maskedPlaces = [
  '/proc/kcore',
  '/proc/key-users',
  '/proc/keys',
  '/proc/kmsg',
  '/proc/latency_stats',
  '/proc/sched_debug',
  '/proc/sysrq-trigger',
  '/proc/timer_list',
] as const;

/**
 * Returns the arguments of bubblewrap for a sandbox, up to the program itself. Order matters: later mounts
 * cover earlier ones.
 *
 * `/proc` is read-only as a whole. As root, bubblewrap leaves `/proc/sys` writable, where the kernel checks
 * only the user: a program without any capability could reconfigure the machine.
 */
export function sandboxArguments(plan: SandboxPlan): readonly string[] {
  const { top, writable, network, readable, directory } = plan;
  const places = [...systemPlaces, ...(network ? networkPlaces : [])];
  const groups: readonly (readonly string[])[] = [
    ['--unshare-all', '--unshare-user', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    plan.refusesNesting ? ['--disable-userns'] : [],
    network ? ['--share-net'] : [],
    ...places.map((place) => ['--ro-bind-try', place, place]),
    ['--proc', '/proc'],
    ...plan.masked.map((place) => ['--ro-bind', '/dev/null', place]),
    ['--remount-ro', '/proc', '--dev', '/dev'],
    ...['/dev/shm', '/tmp'].map((place) => ['--size', String(plan.temporary), '--tmpfs', place]),
    ...readable.map(({ path, handle }) => ['--ro-bind-fd', String(handle), path]),
    [writable ? '--bind-fd' : '--ro-bind-fd', String(plan.topHandle), top],
    ...plan.masks.map((mask) => maskArguments(mask, posix.join(top, mask.path))),
    ['--remount-ro', '/dev', '--remount-ro', '/'],
    ['--json-status-fd', String(plan.statusHandle), '--chdir', directory, '--'],
  ];
  return groups.flat();
}

function maskArguments(mask: SandboxMask, place: string): readonly string[] {
  switch (mask.cover) {
    case 'empty':
      return ['--perms', '0555', '--size', '4096', '--tmpfs', place, '--remount-ro', place];
    case 'blank':
      // Empty rather than unreadable: programs such as Git fail when a file cannot be opened.
      return ['--perms', '0444', '--ro-bind-data', String(mask.handle), place];
    case 'protect':
      return ['--ro-bind-fd', String(mask.handle), place];
    case 'pin':
      return ['--bind-fd', String(mask.handle), place];
  }
}

/** Limits of one program that the kernel enforces. */
export interface KernelLimits {
  /** Bytes of private memory per process. */
  readonly memory: number;
  /** Processes of this user in the sandbox. The kernel exempts root. */
  readonly processes: number;
}

/**
 * A shell sets the limits and becomes the program, because Node cannot set them for a child. The number of
 * processes is `-u` in bash and `-p` in dash. Memory is limited as written to (`-d`): programs reserve far
 * more than they use, and a limit on that would end most of them at once. A lower existing limit stays.
 */
const script = `
ulimit -c 0
ulimit -d "$1" 2>/dev/null || [ "$(ulimit -d)" != unlimited ] || exit 125
ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null ||
  [ "$(ulimit -u 2>/dev/null || ulimit -p)" != unlimited ] || exit 125
shift 2
exec "$@"
`;

/** Returns the arguments that start a program with limits. */
export function limitedProgram(
  file: string,
  args: readonly string[],
  { memory, processes }: KernelLimits,
): readonly string[] {
  const kibibytes = Math.ceil(memory / 1024);
  return ['/bin/sh', '-c', script, 'sh', String(kibibytes), String(processes), file, ...args];
}

/**
 * The treatment of one entry of the root in a sandbox.
 *
 * - `hide`: the entry is visible but empty.
 * - `protect`: it can be read but not changed.
 * - `pin`: it can be neither renamed nor removed, because something beneath it is hidden or protected and
 *   rules may refer to its path.
 */
export type TreeMask =
  | { readonly cover: 'hide'; readonly path: string; readonly directory: boolean }
  | { readonly cover: 'protect' | 'pin'; readonly path: string; readonly held: Directory };

/** All masks of a tree, outer ones first. The caller disposes of them. */
export interface TreeMasks extends Disposable {
  readonly masks: readonly TreeMask[];
  /** The number of hidden directories and files. */
  readonly hidden: number;
}
