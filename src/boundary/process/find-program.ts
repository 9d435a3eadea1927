import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { quote } from '../../base/quote.ts';
import { isInside } from '../../path/inside.ts';
import { findOtherWriter, isOwnPlace, type OtherWriter } from '../look/other-writer.ts';

/** A program of the system, and the rejected ones of the same name. */
export interface FoundProgram {
  /** Absolute path. */
  readonly file: string | undefined;
  /** For the operator: each with the reason. */
  readonly passedOver: readonly string[];
}

/**
 * Finds the first installed program of this name that only the system's administrator can change. Programs
 * started here are not confined, so a file that a tool of this server could have written must not be started:
 * a model could put a program in `.venv/bin`, and the next server with that directory in its `PATH` would run
 * it. The roots that clients will name are unknown when a server starts. Therefore neither this user nor
 * others may be able to write to the file, to a directory on the way, or to a link. Root can write
 * everywhere, so it accepts only the usual directories of the system, and none in `roots`.
 *
 * On Windows, where no such permissions are read, only the directories of the system are accepted.
 */
export function findProgram(
  name: string,
  searchPath: string | undefined,
  roots: readonly string[] = [],
): FoundProgram {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const passedOver: string[] = [];
  for (const directory of new Set((searchPath ?? '').split(delimiter))) {
    const path = resolve(directory, file);
    if (!isProgram(path)) continue;
    const reason = reasonAgainst(directory, path, roots);
    if (reason === undefined) return { file: path, passedOver };
    passedOver.push(`${quote(path)} is not used: ${reason}`);
  }
  return { file: undefined, passedOver };
}

/** Whether a file can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Filters a `PATH` by the same rule, for programs that look up others by name. */
export function systemPath(searchPath: string | undefined): string {
  return (searchPath ?? '')
    .split(delimiter)
    .filter((directory) => reasonAgainst(directory, directory, []) === undefined)
    .join(delimiter);
}

/** A filtered `PATH`, and the removed directories. */
export interface OwnPath {
  readonly path: string;
  readonly left: readonly string[];
}

/**
 * Filters a `PATH` for a program that the person chose by name, such as an editor, and that may be their own:
 * removes directories that are relative, that others can change, or that lie in one of their roots.
 */
export function ownPath(searchPath: string, roots: readonly string[]): OwnPath {
  const isSafe = (directory: string): boolean =>
    isAbsolute(directory) && isOwnPlace(directory) && holderOf(directory, roots) === undefined;
  const directories = searchPath.split(delimiter);
  return {
    path: directories.filter(isSafe).join(delimiter),
    left: directories.filter((directory) => directory !== '' && !isSafe(directory)),
  };
}

/** The usual directories of programs. */
const systemDirectories: ReadonlySet<string> = new Set([
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/snap/bin',
  '/run/wrappers/bin',
  '/run/current-system/sw/bin',
  '/nix/var/nix/profiles/default/bin',
]);

function reasonAgainst(directory: string, path: string, roots: readonly string[]): string | undefined {
  if (!isAbsolute(directory)) return 'its directory is not absolute in PATH';
  if (process.platform === 'win32') return isOfWindows(path) ? undefined : 'it is no program of the system';
  // The sticky bit makes group-writable directories acceptable, as in the store of Nix, but not
  // world-writable ones such as /tmp.
  const other = findOtherWriter(path, { owners: [0], sticky: 0o020 });
  if (other !== undefined) return describe(other);
  if (process.geteuid?.() !== 0) return undefined;
  if (!systemDirectories.has(join(directory))) return 'it is in no directory of the system';
  const root = holderOf(path, roots);
  return root === undefined ? undefined : `it is inside the root ${quote(root)}`;
}

function describe({ at, owner }: OtherWriter): string {
  if (owner === undefined) return `others can write to ${quote(at)}`;
  return owner === process.geteuid?.()
    ? `this user, and so a tool of this server, can write to ${quote(at)}`
    : `${quote(at)} belongs to another user (${owner})`;
}

function isOfWindows(path: string): boolean {
  const { SystemRoot, ProgramFiles } = process.env;
  return [SystemRoot, ProgramFiles].some((top) => top !== undefined && isInside(top, path));
}

/** Resolves links, where possible. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Returns the directory that contains a file, after resolving links. */
function holderOf(file: string, directories: readonly string[]): string | undefined {
  return directories.find((each) => isInside(realOf(each), realOf(file)));
}

/** The program that interprets a command line, with its arguments. */
export interface SystemShell {
  readonly file: string;
  readonly args: readonly string[];
}

/** Chooses Bash if installed, because people write for it; otherwise the shell of the system. */
export function systemShell(command: string, platform: NodeJS.Platform = process.platform): SystemShell {
  if (platform === 'win32') {
    const root = process.env['SystemRoot'] ?? 'C:\\Windows';
    return { file: `${root}\\System32\\cmd.exe`, args: ['/d', '/s', '/c', `"${command}"`] };
  }
  const { file = '/bin/sh' } = findProgram('bash', '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin');
  return { file, args: ['-c', command] };
}
