import {
  describeUriFault,
  type FileUriOptions,
  isFileUri,
  readFileUri,
  type UriFault,
  type UriFaultCode,
} from './file-uri.ts';
import { hostPlatform, type Platform } from './platform.ts';
import { createRootIssue, type IssueDetails, type RootIssue, type RootIssueCode } from './root-issue.ts';
import { separatorOf, splitPath } from './split-path.ts';

export type RootUriOptions = FileUriOptions;

export interface ReadRootUri {
  readonly path?: string;
  readonly issues: readonly RootIssue[];
}

/**
 * Reads the path that a client meant: a URI, a URI with a known mistake, or a bare path. Where two readings
 * are possible, it refuses and names the likelier one as an alternative.
 */
export function readRootUri(sent: string, options: RootUriOptions): ReadRootUri {
  const platform = options.platform ?? hostPlatform;
  const placeholder = findPlaceholder(sent);
  if (placeholder !== undefined) {
    return refuse('placeholder', sent, { state: `the placeholder ${placeholder} was not filled in` });
  }
  if (isFileUri(sent)) return readUri(sent, { ...options, platform });
  if (sent === '') return refuse('empty', sent);
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(sent)) return refuse('foreign-scheme', sent);
  return readBarePath(sent, { ...options, platform });
}

type ResolvedOptions = RootUriOptions & { readonly platform: Platform };

function refuse(code: RootIssueCode, sent: string, details?: IssueDetails): ReadRootUri {
  return { issues: [createRootIssue(code, sent, details)] };
}

/** `${name}`, `$(name)`, `{{name}}`, `%NAME%`: sent by clients that do not expand variables. */
const placeholders = /\$\{[^}]*\}?|\$\([^)]*\)|\{\{[^}]*\}\}|%(?![0-9A-F]{2})[A-Z_]\w+%/i;

function findPlaceholder(text: string): string | undefined {
  return placeholders.exec(text)?.[0];
}

function readUri(sent: string, options: ResolvedOptions): ReadRootUri {
  const { uri, codes } = repairUri(sent, options.platform);
  const result = readFileUri(uri, options);
  if (typeof result !== 'string') return refuseUri(sent, result, options.platform);
  const drive = options.platform === 'posix' ? driveOnPosix(result) : undefined;
  if (drive !== undefined) return refuse('drive-path-on-posix', sent, drive);
  return { path: result, issues: codes.map((code) => createRootIssue(code, sent)) };
}

const issueOfFault: { readonly [Code in UriFaultCode]?: RootIssueCode } = {
  empty: 'empty',
  relative: 'relative',
  host: 'foreign-host',
  unc: 'network-share',
  query: 'query-or-fragment',
  fragment: 'query-or-fragment',
  nul: 'opaque',
  drive: 'posix-path-on-windows',
  whole: 'whole-file-system',
};

function refuseUri(sent: string, fault: UriFault, platform: Platform): ReadRootUri {
  const code = issueOfFault[fault.fault] ?? 'invalid';
  if (code === 'query-or-fragment') return refuse(code, sent, rawTail(sent, platform));
  return refuse(code, sent, code === 'invalid' ? { state: describeUriFault(fault) } : {});
}

/** A sender that left `#` or `?` unencoded most likely encoded nothing, so the whole tail is the path. */
function rawTail(sent: string, platform: Platform): IssueDetails {
  const tail = sent.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
  const split = splitPath(platform === 'win32' ? tail.replace(/^\//, '') : tail, platform);
  if ('fault' in split || split.prefix === '' || split.components.includes('..')) return {};
  return { alternative: split.prefix + split.components.join(separatorOf(platform)) };
}

/** `/c:/Users` on posix: a Windows client with a server in WSL, where drives are mounted under `/mnt`. */
function driveOnPosix(path: string): IssueDetails | undefined {
  const [, drive, rest] = /^\/?([A-Za-z]):(?:[\\/](.*))?$/s.exec(path) ?? [];
  if (drive === undefined) return undefined;
  const tail = (rest ?? '').replaceAll('\\', '/');
  return { alternative: `/mnt/${drive.toLowerCase()}${tail === '' ? '' : `/${tail}`}` };
}

function readBarePath(sent: string, options: ResolvedOptions): ReadRootUri {
  const { platform } = options;
  if (platform === 'posix') {
    const drive = driveOnPosix(sent);
    if (drive !== undefined) return refuse('drive-path-on-posix', sent, drive);
  } else if (/^\/(?!\/|[A-Za-z]:)/.test(sent)) {
    return refuse('posix-path-on-windows', sent);
  }
  const path = platform === 'win32' ? sent.replace(/^\/(?=[A-Za-z]:)/, '') : sent;
  return readNative(sent, path, options);
}

function readNative(sent: string, path: string, { platform, unc, whole }: ResolvedOptions): ReadRootUri {
  const split = splitPath(path, platform);
  if ('fault' in split) return refuse('invalid', sent, { state: split.fault });
  const { prefix, components } = split;
  if (prefix === '') return refuse('relative', sent);
  if (components.includes('..')) return refuse('invalid', sent, { state: 'it contains ".." segments' });
  if (prefix.startsWith('\\\\') && unc !== true) return refuse('network-share', sent);
  if (components.length === 0 && whole !== true) return refuse('whole-file-system', sent);
  const native = prefix + components.join(separatorOf(platform));
  return { path: native, issues: [createRootIssue('bare-path', sent)] };
}

interface Repair {
  readonly code: RootIssueCode;
  readonly platform?: Platform;
  readonly apply: (uri: string) => string;
}

/**
 * Mistakes that real clients make in a file URI, in the order of repair. Each repair has one possible
 * meaning; the strict parser refuses what could mean two things.
 */
const repairs: readonly Repair[] = [
  { code: 'upper-case-scheme', apply: (uri) => uri.replace(/^file:/i, 'file:') },
  // Claude Code on Windows was seen to send file://H:\Documents
  {
    code: 'backslash',
    platform: 'win32',
    apply: (uri) => uri.replaceAll('\\', '/'),
  },
  {
    code: 'drive-in-authority',
    platform: 'win32',
    apply: (uri) => uri.replace(/^file:\/\/(?=[A-Za-z]:\/)/, 'file:///'),
  },
  { code: 'short-form', apply: (uri) => uri.replace(/^file:\/(?!\/)/, 'file:///') },
  {
    code: 'encoded-drive-colon',
    platform: 'win32',
    apply: (uri) => uri.replace(/^(file:\/\/\/[A-Za-z])%3A(?=\/)/i, '$1:'),
  },
  { code: 'bad-escape', apply: encodeLonePercents },
  { code: 'raw-character', apply: encodeRawCharacters },
  { code: 'dot-segment', apply: (uri) => uri.replace(/\/(?:\.\/)+(?!$)/g, '/') },
];

export interface RepairedUri {
  readonly uri: string;
  readonly codes: readonly RootIssueCode[];
}

/** Applies every repair that changes something, and returns its code. */
export function repairUri(sent: string, platform: Platform): RepairedUri {
  let uri = sent;
  const codes: RootIssueCode[] = [];
  for (const repair of repairs) {
    if (repair.platform !== undefined && repair.platform !== platform) continue;
    const next = repair.apply(uri);
    if (next !== uri) codes.push(repair.code);
    uri = next;
  }
  return { uri, codes };
}

/**
 * A raw `%` suggests that the sender encoded nothing. If the URI also has valid escapes, its meaning is
 * ambiguous, and it stays as it is.
 */
function encodeLonePercents(uri: string): string {
  const escapes = uri.match(/%[0-9A-Fa-f]{2}/g) ?? [];
  const lone = uri.match(/%(?![0-9A-Fa-f]{2})/g) ?? [];
  return lone.length > 0 && escapes.length === 0 ? uri.replaceAll('%', '%25') : uri;
}

/**
 * Encodes spaces only between visible characters: at either end they may be part of the name or a mistake.
 */
function encodeRawCharacters(uri: string): string {
  return uri.replace(/(?<=[^\s]) +(?=[^\s])|["<>`{}]/g, encodeURIComponent);
}
