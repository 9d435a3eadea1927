import { posix } from 'node:path';
import type { Directory } from '../system/driver.ts';

/** A mask as bubblewrap is told of it: handles come as numbers, that of a hidden file leads to nothing. */
export type SandboxMask =
  | { readonly cover: 'empty'; readonly path: string }
  | { readonly cover: 'blank' | 'protect' | 'pin'; readonly path: string; readonly handle: number };

/** What is in a sandbox, and where. Paths are absolute; the handles come as numbers. */
export interface SandboxPlan {
  /** Where the root appears: where it is outside. */
  readonly top: string;
  readonly topHandle: number;
  readonly writable: boolean;
  /** Where the program begins. */
  readonly directory: string;
  readonly masks: readonly SandboxMask[];
  /** Where the sandbox says how the program ended. */
  readonly statusHandle: number;
  readonly network: boolean;
  /** More directories that can be read: toolchains. */
  readonly readable: readonly { readonly path: string; readonly handle: number }[];
  /** Files of `/proc` that are there and that nobody in a sandbox needs. */
  readonly masked: readonly string[];
  /** Bytes that `/tmp` and `/dev/shm` hold at most, each. */
  readonly temporary: number;
  /** Whether the program can be kept from making namespaces of its own. */
  readonly refusesNesting: boolean;
}

/**
 * What is read-only in every sandbox: programs, and those files of `/etc` that programs want and that hold
 * nothing. Never the whole of `/etc`: run by root, a sandbox could read its secrets.
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

/** What of `/proc` tells about the machine or acts on it, and takes the owner's word for permission. */
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
 * The arguments of bubblewrap for a sandbox, up to the program itself. Order matters: what comes later lies
 * over what came before.
 *
 * `/proc` is read-only as a whole. Run by root, bubblewrap leaves `/proc/sys` writable, and the kernel asks
 * there for the user alone: a program without any capability could change how the machine works.
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
      // Empty rather than refused: programs such as Git give up where a file cannot be opened.
      return ['--perms', '0444', '--ro-bind-data', String(mask.handle), place];
    case 'protect':
      return ['--ro-bind-fd', String(mask.handle), place];
    case 'pin':
      return ['--bind-fd', String(mask.handle), place];
  }
}

/** What one program may use, as the kernel enforces it. */
export interface KernelLimits {
  /** Bytes of memory that one process may have for itself. */
  readonly memory: number;
  /** Processes of this user in the sandbox. The kernel exempts root. */
  readonly processes: number;
}

/**
 * A shell sets the limits and becomes the program: Node cannot set them for a child. `-u` is what bash calls
 * the number of processes, `-p` what dash calls it. Memory is counted as it is written to (`-d`): programs
 * reserve far more than they use, and a limit on that would end most of them at once. A limit that is lower
 * already stays.
 */
const script = `
ulimit -c 0
ulimit -d "$1" 2>/dev/null || [ "$(ulimit -d)" != unlimited ] || exit 125
ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null ||
  [ "$(ulimit -u 2>/dev/null || ulimit -p)" != unlimited ] || exit 125
shift 2
exec "$@"
`;

/** The arguments that start a program with limits. */
export function limitedProgram(
  file: string,
  args: readonly string[],
  { memory, processes }: KernelLimits,
): readonly string[] {
  const kibibytes = Math.ceil(memory / 1024);
  return ['/bin/sh', '-c', script, 'sh', String(kibibytes), String(processes), file, ...args];
}

/**
 * What is done to one entry of the root in a sandbox.
 *
 * - `hide`: nothing in it can be read. It is there, and empty.
 * - `protect`: it can be read and not changed.
 * - `pin`: it can be neither renamed nor removed, because something beneath it is hidden or protected and a
 *   rule may go by its path.
 */
export type TreeMask =
  | { readonly cover: 'hide'; readonly path: string; readonly directory: boolean }
  | { readonly cover: 'protect' | 'pin'; readonly path: string; readonly held: Directory };

/** Every mask of a tree, those above before those beneath. Whoever gets them closes them. */
export interface TreeMasks extends Disposable {
  readonly masks: readonly TreeMask[];
  /** Directories and files that are hidden. */
  readonly hidden: number;
}
