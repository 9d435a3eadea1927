import type { Platform } from './platform.ts';

/**
 * The parts of a path. `.` and empty components are removed; `..` is kept, because only the disk knows where
 * it leads.
 */
export interface SplitPath {
  /** `/`, `C:\`, `\\server\share\`, or empty for a relative path. */
  readonly prefix: string;
  readonly components: readonly string[];
  /** The path ends with a separator, `.` or `..`, so it must name a directory. */
  readonly directory: boolean;
}

/** The reason why a text is not a valid path. */
export interface PathFault {
  readonly fault: string;
}

/**
 * Longest accepted path, in characters. Stepping through names is not limited by PATH_MAX, so this is the
 * limit.
 */
export const longestPath = 32_768;

/**
 * Splits a native path without changing its meaning: no trimming, expanding, decoding, folding or
 * normalising.
 */
export function splitPath(path: string, platform: Platform): SplitPath | PathFault {
  if (path === '') return { fault: 'it is empty' };
  if (path.length > longestPath) return { fault: `it is longer than ${longestPath} characters` };
  return platform === 'win32' ? splitWindows(path) : splitPosix(path);
}

export function separatorOf(platform: Platform): string {
  return platform === 'win32' ? '\\' : '/';
}

/** Whether the components from `start` on lead above their start at any point, even if they come back. */
export function climbs(components: readonly string[], start = 0): boolean {
  let depth = 0;
  for (let index = start; index < components.length; index += 1) {
    depth += components[index] === '..' ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

/** NUL, and characters that may be lone surrogates or take more than one byte. */
const notPlain = /[\u0000\u0080-\uFFFF]/;

/** Cuts at slashes in a single pass: this is the hot path of every containment check. */
function splitPosix(path: string): SplitPath | PathFault {
  const components: string[] = [];
  let longest = 0;
  for (let start = 0; start < path.length;) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    const length = end - start;
    if (length > 1 || (length === 1 && path[start] !== '.')) components.push(path.slice(start, end));
    if (length > longest) longest = length;
    start = end + 1;
  }
  const fault = longest > surelyShort || notPlain.test(path) ? firstFault(components, 'posix') : undefined;
  if (fault !== undefined) return { fault };
  const prefix = path.startsWith('/') ? '/' : '';
  return { prefix, components, directory: endsAsDirectory(path, '/') };
}

/** Ends with a separator, `.` or `..`. */
function endsAsDirectory(path: string, separator: string): boolean {
  if (path.endsWith(separator)) return true;
  return path.endsWith('.') && ['.', '..'].includes(path.slice(path.lastIndexOf(separator) + 1));
}

function firstFault(components: readonly string[], platform: Platform): string | undefined {
  for (const name of components) {
    const fault = name === '..' ? undefined : componentFault(name, platform);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function splitWindows(given: string): SplitPath | PathFault {
  const path = given.replaceAll('/', '\\');
  const start = windowsPrefix(path);
  if ('fault' in start) return start;
  const components = path
    .slice(start.length)
    .split('\\')
    .filter((name) => name !== '' && name !== '.');
  const fault = firstFault(components, 'win32');
  if (fault !== undefined) return { fault };
  return { prefix: start.prefix, components, directory: endsAsDirectory(path, '\\') };
}

interface WindowsPrefix {
  readonly prefix: string;
  readonly length: number;
}

function windowsPrefix(path: string): WindowsPrefix | PathFault {
  if (path.startsWith('\\\\')) return networkPrefix(path);
  if (path.startsWith('\\')) return { fault: 'it depends on the current drive' };
  if (!/^[A-Za-z]:/.test(path)) return { prefix: '', length: 0 };
  if (path[2] !== '\\') return { fault: 'it depends on the current directory of a drive' };
  return { prefix: `${path.charAt(0).toUpperCase()}:\\`, length: 3 };
}

/** `\\server\share\`. `\\.\` and `\\?\` reach devices and bypass all naming rules, so they are refused. */
function networkPrefix(path: string): WindowsPrefix | PathFault {
  const match = /^\\\\([A-Za-z0-9][A-Za-z0-9._-]*)\\([^\\]+)(?:\\|$)/.exec(path);
  const [whole, server, share] = match ?? [];
  if (whole === undefined || server === undefined || share === undefined) {
    return { fault: 'it names a device or an incomplete network share' };
  }
  if (componentFault(share, 'win32') !== undefined) return { fault: 'it names no valid network share' };
  return { prefix: `\\\\${server}\\${share}\\`, length: whole.length };
}

/** NAME_MAX of every file system in common use: bytes on posix, UTF-16 units on Windows. */
const longestName = 255;

/** A code unit takes at most three bytes in UTF-8, so names up to this length need no counting. */
const surelyShort: number = Math.floor(longestName / 3);

/** Names that Win32 maps to devices in every directory, with any extension. */
const deviceName = /^(?:CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³]|CONIN\$|CONOUT\$)$/i;

/** A generated 8.3 alias such as `PROGRA~1`: a second spelling that would bypass rules on names. */
const shortName = /^(?=[^.]{1,8}(?:\.|$))[^.]*~[0-9]+(?:\.[^.]{0,3})?$/;

const tooLong = `a name in it is longer than ${longestName}`;

const forbiddenOnWindows = /[\u0000-\u001F<>:"|?*/\\]/;

/**
 * Returns why a name cannot be a component of a path, or `undefined` if it can. Does not judge `.` and `..`:
 * their meaning depends on their position.
 */
export function componentFault(name: string, platform: Platform): string | undefined {
  if (name === '') return 'a name in it is empty';
  if (name.includes('\0')) return 'it contains NUL';
  if (!name.isWellFormed()) return 'it contains a lone surrogate';
  return platform === 'win32' ? windowsFault(name) : posixFault(name);
}

function posixFault(name: string): string | undefined {
  if (name.includes('/')) return 'a name in it contains a separator';
  if (name.length > surelyShort && Buffer.byteLength(name) > longestName) return tooLong;
  return undefined;
}

function windowsFault(name: string): string | undefined {
  const forbidden = forbiddenOnWindows.exec(name)?.[0];
  if (forbidden === ':') return 'it names a stream or a drive within the path';
  if (forbidden !== undefined) return 'it contains a character that Windows forbids in names';
  if (name.endsWith('.') || name.endsWith(' ')) return 'a name in it ends with a dot or a space';
  if (isDeviceName(name)) return 'it names a device';
  if (shortName.test(name)) return 'it uses a short (8.3) name';
  return name.length > longestName ? tooLong : undefined;
}

function isDeviceName(name: string): boolean {
  const dot = name.indexOf('.');
  const base = dot === -1 ? name : name.slice(0, dot);
  return deviceName.test(base.trimEnd());
}
