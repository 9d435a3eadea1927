import type { Platform } from './platform.ts';
import type { RootIssueCode } from './root-issue.ts';

interface Repair {
  readonly code: RootIssueCode;
  readonly platform?: Platform;
  readonly apply: (uri: string) => string;
}

/**
 * What real clients get wrong in a file URI, in the order in which it is put right. Each repair has one
 * possible meaning; what could mean two things is left for the strict parser to refuse.
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

/** Applies every repair that changes something, and names it. */
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

/** A sender that wrote one `%` raw encoded nothing; but if others are good encodings, nobody can tell. */
function encodeLonePercents(uri: string): string {
  const escapes = uri.match(/%[0-9A-Fa-f]{2}/g) ?? [];
  const lone = uri.match(/%(?![0-9A-Fa-f]{2})/g) ?? [];
  return lone.length > 0 && escapes.length === 0 ? uri.replaceAll('%', '%25') : uri;
}

/** Only between visible characters: white space at either end may be part of the name or a slip. */
function encodeRawCharacters(uri: string): string {
  return uri.replace(/(?<=[^\s]) +(?=[^\s])|["<>`{}]/g, encodeURIComponent);
}
