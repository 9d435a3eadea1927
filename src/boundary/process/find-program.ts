import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { quote } from '../../base/quote.ts';
import { isInside } from '../../path/inside.ts';
import { findOtherWriter, isOwnPlace, type OtherWriter } from '../look/other-writer.ts';

/** A program of the system, and those of its name that were not taken. */
export interface FoundProgram {
  /** Absolute. */
  readonly file: string | undefined;
  /** For the operator: each with the reason. */
  readonly passedOver: readonly string[];
}

/**
 * The first installed program of this name that nobody but the system's administrator can change. What we start
 * is not confined, so a file that a tool of this server could have written is not started: a model puts a program
 * in `.venv/bin`, and the next server, in whose `PATH` that directory stands, would run it. Which directories a
 * client will name as roots is not known when a server starts. So neither others nor this user may be able to
 * write to the file, to a directory on the way or to a link; root can write everywhere, and takes programs from
 * the usual directories of the system alone, and from none of `roots`.
 *
 * On Windows, where no such permissions are read, programs are taken from the directories of the system alone.
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

/** The same rule for directories: a `PATH` for programs that look for others by name. */
export function systemPath(searchPath: string | undefined): string {
  return (searchPath ?? '')
    .split(delimiter)
    .filter((directory) => reasonAgainst(directory, directory, []) === undefined)
    .join(delimiter);
}

/** A `PATH`, and what was taken out of it. */
export interface OwnPath {
  readonly path: string;
  readonly left: readonly string[];
}

/**
 * A `PATH` for a program that the person chose by name, such as an editor, which may well be one of their own:
 * without directories that have no fixed place, that others can change, or that lie in one of their roots.
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

/** Where systems keep programs. */
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
  // The sticky bit excuses a group, as in the store of Nix, and not everybody, as in /tmp.
  const other = findOtherWriter(path, { owners: [0], sticky: 0o020 });
  if (other !== undefined) return describe(other);
  if (process.geteuid?.() !== 0) return undefined;
  if (!systemDirectories.has(join(directory))) return 'it is in no directory of the system';
  const root = holderOf(path, roots);
  return root === undefined ? undefined : `it lies in the root ${quote(root)}`;
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

/** Without links, where that can be told. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The directory that holds a file, whatever links lead there. */
function holderOf(file: string, directories: readonly string[]): string | undefined {
  return directories.find((each) => isInside(realOf(each), realOf(file)));
}

/** The program that reads command lines, and how it is given one. */
export interface SystemShell {
  readonly file: string;
  readonly args: readonly string[];
}

/** Bash where there is one, because that is what people write for; otherwise the shell that every system has. */
export function systemShell(command: string, platform: NodeJS.Platform = process.platform): SystemShell {
  if (platform === 'win32') {
    const root = process.env['SystemRoot'] ?? 'C:\\Windows';
    return { file: `${root}\\System32\\cmd.exe`, args: ['/d', '/s', '/c', `"${command}"`] };
  }
  const { file = '/bin/sh' } = findProgram('bash', '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin');
  return { file, args: ['-c', command] };
}
