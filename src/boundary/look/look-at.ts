import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, opendir, realpath, stat } from 'node:fs/promises';
import { answerWithin } from '../../base/wait.ts';
import { isErrno } from '../system/errno.ts';
import { type EntryKind, kindOf } from '../system/file-info.ts';

/** The state of a path at one moment. */
export interface PlaceLook {
  readonly kind: EntryKind;
  /** Distinguishes it from everything that was there before: inode numbers alone are reused. */
  readonly identity: string;
  /** The path without links. */
  readonly real: string;
  /** Whether it can be opened for reading, determined by opening it. */
  readonly readable: boolean;
}

/** `silent`: the file system reports an error, or does not answer in time. */
export type LookRefusal = 'missing' | 'no-permission' | 'silent';

export interface RefusedLook {
  readonly refused: LookRefusal;
  /** Settles when the system answers after all. Until then a second look would also block. */
  readonly late?: Promise<unknown>;
}

export interface LookOptions {
  /** Time limit; 5,000 by default. */
  readonly milliseconds?: number;
}

/**
 * Looks at a path once, following links. Grants nothing, and keeps nothing open: a held directory could not
 * be unmounted. Never hangs: an unreachable network file system is `silent`.
 */
export async function lookAt(
  path: string,
  { milliseconds = 5_000 }: LookOptions = {},
): Promise<PlaceLook | RefusedLook> {
  const looking = look(path).catch(refuse);
  return (await answerWithin(looking, milliseconds)) ?? { refused: 'silent', late: looking };
}

async function look(path: string): Promise<PlaceLook> {
  const stats = await stat(path, { bigint: true });
  const kind = kindOf(stats);
  const [real, readable] = await Promise.all([realpath(path), isReadable(path, kind)]);
  return { kind, identity: lastingIdentity(stats), real, readable };
}

/** Some file systems reuse inode numbers at once; the time of birth differs. */
function lastingIdentity({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/**
 * `access` checks the real user instead of the effective one, and ignores the privacy protection of macOS.
 */
async function isReadable(path: string, kind: EntryKind): Promise<boolean> {
  if (kind !== 'file' && kind !== 'directory') return false;
  try {
    const opened = kind === 'directory' ? await opendir(path) : await open(path, readOnly);
    await opened.close();
    return true;
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM')) return false;
    throw error;
  }
}

// Windows has no O_NONBLOCK, and `flags | undefined` is `flags`.
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

const refusals: Readonly<Record<string, LookRefusal>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ELOOP: 'missing',
  ENAMETOOLONG: 'missing',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
};

function refuse(error: unknown): RefusedLook {
  if (!isErrno(error)) throw error;
  return { refused: refusals[error.code] ?? 'silent' };
}

export interface FindByIdentityOptions {
  /** Most names to check; 10,000 by default. */
  readonly entries?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Finds the current name of an entry in a directory by its identity; `undefined` if it is not found. */
export async function findByIdentity(
  directory: string,
  identity: string,
  { entries: most = 10_000, signal }: FindByIdentityOptions = {},
): Promise<string | undefined> {
  try {
    let seen = 0;
    for await (const { name } of await opendir(directory)) {
      seen += 1;
      if (seen > most || signal?.aborted === true) return undefined;
      if ((await identityAt(`${directory}/${name}`)) === identity) return name;
    }
  } catch (error) {
    // An unlistable directory counts as empty.
    if (!isErrno(error)) throw error;
  }
  return undefined;
}

async function identityAt(path: string): Promise<string | undefined> {
  try {
    return lastingIdentity(await lstat(path, { bigint: true }));
  } catch (error) {
    if (isErrno(error)) return undefined;
    throw error;
  }
}
