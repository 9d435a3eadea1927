import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, opendir, realpath, stat } from 'node:fs/promises';
import { answerWithin } from '../../base/wait.ts';
import { isErrno } from '../system/errno.ts';
import { type EntryKind, kindOf } from '../system/file-info.ts';

/** What a path leads to, at one moment. */
export interface PlaceLook {
  readonly kind: EntryKind;
  /** Tells it from everything else that was ever there: numbers alone are given away again. */
  readonly identity: string;
  /** Without links. */
  readonly real: string;
  /** Whether it can be opened for reading: asked of the system by doing it. */
  readonly readable: boolean;
}

/** `silent`: the file system has an error to tell, or does not answer in time. */
export type LookRefusal = 'missing' | 'no-permission' | 'silent';

export interface RefusedLook {
  readonly refused: LookRefusal;
  /** Ends when the system has answered after all. Until then a second look would wait beside the first. */
  readonly late?: Promise<unknown>;
}

export interface LookOptions {
  /** How long the system may take; 5,000 by default. */
  readonly milliseconds?: number;
}

/**
 * One look at a path, links followed. Nothing is granted by a look, and nothing stays open: a directory that
 * is held could not be unmounted. Never hangs: a network that is gone is `silent`.
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

/** Numbers of files are given away again at once on some file systems; the moment of birth is not. */
function lastingIdentity({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** `access` answers for another user than the one who opens, and knows nothing of what macOS keeps private. */
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

// Windows knows no O_NONBLOCK, and `flags | undefined` is `flags`.
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
  /** How many names to look at; 10,000 by default. */
  readonly entries?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The name that something has in a directory now, by its identity; `undefined` if it is not seen there. */
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
    // A directory that cannot be listed holds nothing that could be found.
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
