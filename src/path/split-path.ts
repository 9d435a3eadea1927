import { componentFault, surelyShort } from './component.ts';
import type { Platform } from './platform.ts';

/** A path taken apart. `.` and empty components are gone, `..` is kept: only the disk knows where it leads. */
export interface SplitPath {
  /** `/`, `C:\`, `\\server\share\`, or empty for a relative path. */
  readonly prefix: string;
  readonly components: readonly string[];
  /** Spelled with a separator or a dot at the end, so it must name a directory. */
  readonly directory: boolean;
}

/** Why a text is no acceptable path. */
export interface PathFault {
  readonly fault: string;
}

/** Longest path accepted, in characters. Stepping needs no PATH_MAX, but everything has a bound. */
export const longestPath = 32_768;

/**
 * Takes a native path apart without changing what it means: nothing is trimmed, expanded, decoded, folded
 * or normalised.
 */
export function splitPath(path: string, platform: Platform): SplitPath | PathFault {
  if (path === '') return { fault: 'it is empty' };
  if (path.length > longestPath) return { fault: `it is longer than ${longestPath} characters` };
  return platform === 'win32' ? splitWindows(path) : splitPosix(path);
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

const slash = 0x2f;
const dot = 0x2e;

/** One pass over the text: this is the hot path of every containment check. */
function splitPosix(path: string): SplitPath | PathFault {
  const components: string[] = [];
  let start = 0;
  let plain = true;
  for (let end = 0; end <= path.length; end += 1) {
    const code = end === path.length ? slash : path.charCodeAt(end);
    if (code === slash) {
      if (!isNothing(path, start, end)) components.push(path.slice(start, end));
      if (end - start > surelyShort) plain = false;
      start = end + 1;
    } else if (code === 0 || code > 0x7f) {
      plain = false;
    }
  }
  const fault = plain ? undefined : firstFault(components, 'posix');
  if (fault !== undefined) return { fault };
  const absolute = path.charCodeAt(0) === slash;
  return { prefix: absolute ? '/' : '', components, directory: endsAsDirectory(path, '/') };
}

function isNothing(path: string, start: number, end: number): boolean {
  return start === end || (end - start === 1 && path.charCodeAt(start) === dot);
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

/** `\\server\share\`. `\\.\` and `\\?\` reach devices and skip every rule on names: never accepted. */
function networkPrefix(path: string): WindowsPrefix | PathFault {
  const match = /^\\\\([A-Za-z0-9][A-Za-z0-9._-]*)\\([^\\]+)(?:\\|$)/.exec(path);
  const [whole, server, share] = match ?? [];
  if (whole === undefined || server === undefined || share === undefined) {
    return { fault: 'it names a device or an incomplete network share' };
  }
  if (componentFault(share, 'win32') !== undefined) return { fault: 'it names no valid network share' };
  return { prefix: `\\\\${server}\\${share}\\`, length: whole.length };
}
