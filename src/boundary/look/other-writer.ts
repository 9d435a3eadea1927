import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { isErrno } from '../system/errno.ts';

/** An entry on the way to a place that another user of this machine could change. */
export interface OtherWriter {
  /** Absolute path without links. */
  readonly at: string;
  /** The other user who owns it; `undefined` if it is our own and others can write to it. */
  readonly owner?: number;
}

/** The users that may own a place and the way to it, and how the sticky bit of directories counts. */
export interface OwnerRule {
  readonly owners: readonly number[];
  /** Permission bits that are harmless in a sticky directory, where users cannot replace files of others. */
  readonly sticky: number;
  /** Permission bits that let others write; those of group and others by default. */
  readonly shared?: number;
  /** Whether a group has no member but an owner; by default every group counts as others. */
  readonly isAlone?: (gid: number) => boolean;
}

const groupAndOthers = 0o022;
const groupWrites = 0o020;
/** Permission of group and others to enter a directory. */
const entering = 0o011;

/** The rule for this user's own files: owned by the user or by root. */
function ownRule(): OwnerRule {
  return { owners: [0, process.geteuid?.() ?? 0], sticky: groupAndOthers, isAlone: isPrivateGroup };
}

/**
 * Whether a group is private. Many systems give each user a group of the same name with no other member, and
 * a umask of 002; such a group admits no other user. Members that are not in files, as in a directory
 * service, are not seen: a group that `/etc/group` does not list counts as others.
 */
export function isPrivateGroup(gid: number, read: (file: string) => string = readTable): boolean {
  // Administrators may be members of the group of root.
  if (gid === 0) return false;
  const user = findUserName();
  if (user === undefined) return false;
  const row = rowsOf(read('/etc/group')).find(([, , id]) => id === String(gid));
  if (row === undefined || row[0] !== user) return false;
  const members = (row[3] ?? '').split(',').filter((name) => name !== '' && name !== user);
  const others = rowsOf(read('/etc/passwd')).filter(([name, , , id]) => id === String(gid) && name !== user);
  return members.length === 0 && others.length === 0;
}

/** In a container the user often has no entry in `/etc/passwd`, and so no name. */
function findUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return table.split('\n').map((line) => line.split(':'));
}

function readTable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Refuses a place of Rootward's own that another user of this machine owns, can write to, or could replace.
 * Checks every directory on the way, and every link with the path that it leads to. A missing place is not
 * refused.
 *
 * Not checked: anything on Windows, where files have no such permissions.
 *
 * @throws {RootwardError} `SHARED_PLACE`
 */
export function requireOwnPlace(path: string): void {
  const other = findOtherWriter(path, ownRule());
  if (other === undefined) return;
  throw new RootwardError('SHARED_PLACE', { path, ...other });
}

/** Whether `requireOwnPlace` accepts a place. */
export function isOwnPlace(path: string): boolean {
  return findOtherWriter(path, ownRule()) === undefined;
}

/** Finds the first entry on the way to a path, or the entry itself, that the rule does not allow. */
export function findOtherWriter(path: string, rule: OwnerRule): OtherWriter | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    return walk(resolve(path), rule);
  } catch (error) {
    // A missing or invisible place is not used: opening it fails with a reason of its own.
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined;
    throw error;
  }
}

/** The limit of Linux. */
const mostLinks = 40;

function walk(path: string, rule: OwnerRule): OtherWriter | undefined {
  const ahead = namesOf(path);
  let at = '/';
  let links = 0;
  let closed: string | undefined;
  let other = judge(at, lstatSync(at), rule);
  for (let name = ahead.shift(); name !== undefined && other === undefined; name = ahead.shift()) {
    const next = join(at, name);
    const stats = lstatSync(next);
    // Nothing can exist below a file: `/dev/null` is the home of users without one.
    if (isEnd(stats) && ahead.length > 0) return undefined;
    other = judge(next, stats, isBeneath(closed, next) ? { ...rule, shared: 0 } : rule);
    if (!stats.isSymbolicLink()) {
      at = next;
      if (stats.isDirectory() && (stats.mode & entering) === 0 && !isBeneath(closed, next)) closed = next;
    } else {
      // The links form a cycle, and opening the place fails.
      if ((links += 1) > mostLinks) return undefined;
      const target = readlinkSync(next);
      if (isAbsolute(target)) at = '/';
      ahead.unshift(...namesOf(target));
    }
  }
  if (other !== undefined || isBeneath(closed, at)) return other;
  // Every user can add to a sticky directory, so it is acceptable on the way, but not as the place itself.
  return judge(at, lstatSync(at), { ...rule, sticky: 0 });
}

/** No other user can write beneath a directory that no other user can enter, such as a home of mode 0700. */
function isBeneath(closed: string | undefined, path: string): boolean {
  return closed !== undefined && path.startsWith(`${closed}/`);
}

function isEnd(stats: Stats): boolean {
  return !stats.isDirectory() && !stats.isSymbolicLink();
}

/** Keeps `..`, which can be resolved only when everything before it is a real name. */
function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function judge(at: string, stats: Stats, rule: OwnerRule): OtherWriter | undefined {
  const { owners, sticky, isAlone, shared = groupAndOthers } = rule;
  const { uid, gid, mode } = stats;
  if (!owners.includes(uid) && !isUnknownOwner(uid)) return { at, owner: uid };
  const isSticky = stats.isDirectory() && (mode & 0o1000) !== 0;
  const open = mode & shared & (isSticky ? ~sticky : -1);
  // The permission bits of a link are meaningless.
  if (stats.isSymbolicLink() || open === 0) return undefined;
  return open === groupWrites && isAlone?.(gid) === true ? undefined : { at };
}

/** In a user namespace, the kernel shows every owner from outside, root included, as this one. */
function isUnknownOwner(uid: number): boolean {
  try {
    const overflow = Number(readFileSync('/proc/sys/kernel/overflowuid', 'utf8'));
    return uid === overflow && !readFileSync('/proc/self/uid_map', 'utf8').includes('4294967295');
  } catch {
    return false;
  }
}
