import nodePath from 'node:path';
import { RootwardError } from '../errors.ts';
import { hostPlatform, type Platform } from './platform.ts';
import { componentFault, longestPath, splitPath } from './split-path.ts';

export interface FileUriOptions {
  /** Defaults to the system this process runs on. */
  readonly platform?: Platform;
  /** Accept `file:///` and `file:///C:/`, which grant a whole file system. */
  readonly whole?: boolean;
  /** Accept `file://server/share/…` on Windows, which reaches the network and sends credentials there. */
  readonly unc?: boolean;
}

/**
 * Parses a file URI into the native path that it names. Reads the raw text by its own rules: a URL library
 * silently deletes tabs, collapses `%2e%2e`, turns `\` into `/` and drops queries, and each of these would
 * grant a directory that the client did not name.
 *
 * @throws {RootwardError} `INVALID_URI`, with the rule that was broken.
 *
 * @example
 * ```ts
 * parseFileUri('file:///home/me/my%20app', { platform: 'posix' }) // → '/home/me/my app'
 * parseFileUri('file:///c%3A/Users/me', { platform: 'win32' }) // → 'C:\\Users\\me'
 * parseFileUri('file:///home/me/..', { platform: 'posix' }) // throws INVALID_URI
 * ```
 */
export function parseFileUri(uri: string, options: FileUriOptions = {}): string {
  const result = readFileUri(uri, options);
  if (typeof result === 'string') return result;
  throw new RootwardError('INVALID_URI', { uri, reason: describeUriFault(result) });
}

/** Whether a text claims to be a file URI; it may still be a bad one. */
export function isFileUri(text: string): boolean {
  return /^file:/i.test(text);
}

/** Whether the text is neither absolute nor a URI. */
export function isRelative(text: string, platform: Platform = hostPlatform): boolean {
  return !nodePath[platform].isAbsolute(text) && !isFileUri(text) && !/^[a-z][a-z\d+.-]+:\/\//i.test(text);
}

/** Like `parseFileUri`, but returns the refusal instead of throwing it. */
export function readFileUri(uri: string, options: FileUriOptions): string | UriFault {
  const fault = textFault(uri);
  if (fault !== undefined) return { fault };
  const parts = splitUri(uri);
  if ('fault' in parts) return parts;
  return (options.platform ?? hostPlatform) === 'win32'
    ? windowsPath(parts, options)
    : posixPath(parts, options);
}

/** Space, controls and what RFC 3986 excludes; `[ ] ^ |` pass, because URL libraries leave them raw. */
const mustBeEncoded = /[\u0000-\u0020"<>\\`{}\u007F-\u009F]/;

function textFault(uri: string): UriFaultCode | undefined {
  if (uri === '') return 'empty';
  if (uri.length > longestPath) return 'too-long';
  if (!isFileUri(uri)) return 'scheme';
  if (mustBeEncoded.test(uri) || !uri.isWellFormed()) return 'character';
  if (uri.includes('#')) return 'fragment';
  return uri.includes('?') ? 'query' : undefined;
}

interface UriParts {
  readonly host: string;
  /** Raw segments between slashes, still encoded. */
  readonly segments: readonly string[];
}

function splitUri(uri: string): UriParts | UriFault {
  const rest = uri.slice('file:'.length);
  if (!rest.startsWith('/')) return { fault: 'relative' };
  const [host, path] = rest.startsWith('//') ? splitAuthority(rest.slice(2)) : ['', rest];
  if (path === '') return { fault: 'relative' };
  if (path.startsWith('//')) return { fault: 'slashes' };
  return { host: host.toLowerCase() === 'localhost' ? '' : host, segments: path.slice(1).split('/') };
}

function splitAuthority(text: string): [host: string, path: string] {
  const slash = text.indexOf('/');
  return slash === -1 ? [text, ''] : [text.slice(0, slash), text.slice(slash)];
}

function posixPath({ host, segments }: UriParts, { whole = false }: FileUriOptions): string | UriFault {
  if (host !== '') return { fault: 'host' };
  const names = decodeSegments(segments, 'posix');
  if ('fault' in names) return names;
  if (names.length === 0 && !whole) return { fault: 'whole' };
  return `/${names.join('/')}`;
}

function windowsPath({ host, segments }: UriParts, options: FileUriOptions): string | UriFault {
  if (host !== '') return networkPath(host, segments, options);
  const [first = '', ...others] = segments;
  const [, drive, tail] = /^([A-Za-z])(?::|%3A)(.*)$/i.exec(first) ?? [];
  if (drive === undefined) return { fault: 'drive' };
  if (tail !== '' || others.length === 0) return { fault: 'drive-relative' };
  const names = decodeSegments(others, 'win32');
  if ('fault' in names) return names;
  if (names.length === 0 && options.whole !== true) return { fault: 'whole' };
  return `${drive.toUpperCase()}:\\${names.join('\\')}`;
}

function networkPath(
  host: string,
  segments: readonly string[],
  { unc = false }: FileUriOptions,
): string | UriFault {
  if (!unc) return { fault: 'unc' };
  const names = decodeSegments(segments, 'win32');
  if ('fault' in names) return names;
  const path = `\\\\${host}\\${names.join('\\')}`;
  const split = splitPath(path, 'win32');
  return 'fault' in split ? { fault: 'unc', detail: split.fault } : path;
}

function decodeSegments(segments: readonly string[], platform: Platform): string[] | UriFault {
  const names: string[] = [];
  for (const segment of segments) {
    if (segment === '') continue;
    const name = decodeSegment(segment);
    if (typeof name !== 'string') return name;
    const fault = nameFault(name, platform);
    if (fault !== undefined) return fault;
    names.push(name);
  }
  return names;
}

function decodeSegment(segment: string): string | UriFault {
  if (!segment.includes('%')) return segment;
  if (/%(?![0-9A-Fa-f]{2})/.test(segment)) return { fault: 'escape' };
  try {
    return decodeURIComponent(segment);
  } catch {
    return { fault: 'encoding' };
  }
}

function nameFault(name: string, platform: Platform): UriFault | undefined {
  if (name === '.' || name === '..') return { fault: 'dot-segment' };
  if (name.includes('\0')) return { fault: 'nul' };
  if (name.includes('/') || (platform === 'win32' && name.includes('\\'))) return { fault: 'separator' };
  const detail = componentFault(name, platform);
  return detail === undefined ? undefined : { fault: 'name', detail };
}

/**
 * Returns the canonical file URI of an absolute native path; `parseFileUri` turns it back into the path.
 *
 * @throws {RootwardError} `INVALID_PATH` for a path that is relative, has `..`, or cannot be a URI.
 *
 * @example
 * ```ts
 * toFileUri('/home/me/c#/50%', { platform: 'posix' }) // → 'file:///home/me/c%23/50%25'
 * toFileUri('c:\\Users\\me', { platform: 'win32' }) // → 'file:///C:/Users/me'
 * ```
 */
export function toFileUri(
  path: string,
  { platform = hostPlatform }: { readonly platform?: Platform } = {},
): string {
  const split = splitPath(path, platform);
  const reason = 'fault' in split ? split.fault : undefined;
  if ('fault' in split || split.prefix === '' || split.components.includes('..')) {
    throw new RootwardError('INVALID_PATH', {
      path,
      reason: reason ?? 'it is not an absolute path without ".."',
    });
  }
  return `${uriPrefix(split.prefix)}${split.components.map(encodeName).join('/')}`;
}

/** `/` → `file:///`, `C:\` → `file:///C:/`, `\\server\share\` → `file://server/share/`. */
function uriPrefix(prefix: string): string {
  const text = prefix.replaceAll('\\', '/');
  if (!text.startsWith('//')) return text === '/' ? 'file:///' : `file:///${text}`;
  return `file:${text.split('/').map(encodeName).join('/')}`;
}

/** Characters that RFC 3986 allows raw in a segment, but `encodeURIComponent` encodes. */
const needlesslyEncoded = /%(?:3A|40|24|26|2B|2C|3B|3D)/g;

function encodeName(name: string): string {
  return encodeURIComponent(name).replace(needlesslyEncoded, decodeURIComponent);
}

/** The rule of file URIs that a text breaks. */
export type UriFaultCode =
  | 'empty'
  | 'too-long'
  | 'scheme'
  | 'relative'
  | 'host'
  | 'unc'
  | 'slashes'
  | 'query'
  | 'fragment'
  | 'character'
  | 'escape'
  | 'encoding'
  | 'separator'
  | 'dot-segment'
  | 'nul'
  | 'drive'
  | 'drive-relative'
  | 'name'
  | 'whole';

export interface UriFault {
  readonly fault: UriFaultCode;
  /** Replaces the words of the table, for example with the exact problem of a name. */
  readonly detail?: string;
}

const reasons: { readonly [Code in UriFaultCode]: string } = {
  empty: 'it is empty',
  'too-long': `it is longer than ${longestPath} characters`,
  scheme: 'its scheme is not "file"',
  relative: 'it has no absolute path',
  host: 'it names another host',
  unc: 'it names a network share',
  slashes: 'its path begins with two slashes',
  query: 'it has a query; a question mark in a name is written %3F',
  fragment: 'it has a fragment; a number sign in a name is written %23',
  character: 'it contains a character that a URI must encode',
  escape: 'it has a broken percent-encoding',
  encoding: 'its percent-encoding is not UTF-8',
  separator: 'it hides a separator in a percent-encoding',
  'dot-segment': 'it contains "." or ".." segments',
  nul: 'it contains NUL',
  drive: 'it does not begin with a drive such as C:/',
  'drive-relative': 'its drive is not followed by a slash',
  name: 'it contains a name that the platform does not allow',
  whole: 'it grants a whole file system',
};

/** Describes the fault in words that complete "Cannot read … as a file URI:". */
export function describeUriFault({ fault, detail }: UriFault): string {
  return detail ?? reasons[fault];
}
