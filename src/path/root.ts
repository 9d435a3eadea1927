import { fieldsOf, isFields } from '../base/fields.ts';
import { escapeText } from '../base/quote.ts';
import { toFileUri } from './file-uri.ts';
import { nameKey } from './fold.ts';
import { hostPlatform } from './platform.ts';
import { readRootUri, type RootUriOptions } from './read-root-uri.ts';
import { createRootIssue, type RootIssue } from './root-issue.ts';
import { splitPath } from './split-path.ts';

/** A directory or file that somebody granted. */
export interface Root {
  /** The canonical spelling, not the one that was sent. */
  readonly uri: string;
  /** Absolute, in native form. */
  readonly path: string;
  /** What the sender calls it, or the last name of its path. */
  readonly name: string;
  /** Unknown until somebody looked at the disk. */
  readonly kind: 'directory' | 'file' | 'unknown';
  /** What the sender says about it beyond that, as it was sent. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export type ParsedRoot =
  | { readonly root: Root; readonly issues: readonly RootIssue[] }
  | { readonly root?: never; readonly issues: readonly RootIssue[] };

/**
 * Reads one entry of a client's roots as leniently as can be done without guessing. Never throws: an entry
 * that cannot be used comes back as issues alone, and every repair is an issue too.
 *
 * @example
 * ```ts
 * parseRoot({ uri: '/home/me/app' }, { platform: 'posix' }).root.uri // → 'file:///home/me/app'
 * parseRoot({ uri: '/home/me/app' }, { platform: 'posix' }).issues[0].code // → 'bare-path'
 * parseRoot({ uri: 'vscode-remote://ssh/app' }).root // → undefined
 * ```
 */
export function parseRoot(entry: unknown, options: RootUriOptions = {}): ParsedRoot {
  const sent = readEntry(entry);
  if (sent === undefined) return { issues: [createRootIssue('not-an-entry', describe(entry))] };
  const { path, issues: uriIssues } = readRootUri(sent.uri, options);
  const issues = [...sent.issues, ...uriIssues];
  if (path === undefined) return { issues };
  const { platform = hostPlatform } = options;
  const name = sent.name ?? lastName(path, options);
  const { meta } = sent;
  const root = {
    uri: toFileUri(path, { platform }),
    path,
    name,
    kind: 'unknown',
    ...(meta && { meta }),
  } as const;
  return { root, issues };
}

export interface ParsedRoots {
  readonly roots: readonly Root[];
  readonly issues: readonly RootIssue[];
}

/** More entries than this are a mistake or an attack; the rest is dropped and said so. */
const mostRoots = 100_000;

/**
 * Reads a whole list: each entry for itself, so that one bad one never spoils the others. The same place
 * named twice is one root.
 *
 * @example
 * ```ts
 * parseRoots([{ uri: 'file:///app' }, { uri: 'file:///app/' }, 42], { platform: 'posix' }).roots.length // → 1
 * ```
 */
export function parseRoots(entries: unknown, options: RootUriOptions = {}): ParsedRoots {
  if (!Array.isArray(entries))
    return { roots: [], issues: [createRootIssue('not-a-list', describe(entries))] };
  const key = nameKey({ platform: options.platform ?? hostPlatform });
  const roots = new Map<string, Root>();
  const issues: RootIssue[] = [];
  for (const entry of entries.slice(0, mostRoots)) {
    const parsed = parseRoot(entry, options);
    issues.push(...parsed.issues);
    if (parsed.root === undefined) continue;
    const place = key(parsed.root.path);
    if (roots.has(place)) issues.push(createRootIssue('duplicate', parsed.root.uri));
    else roots.set(place, parsed.root);
  }
  if (entries.length > mostRoots) issues.push(createRootIssue('too-many', `${entries.length} entries`));
  return { roots: [...roots.values()], issues };
}

interface SentEntry {
  readonly uri: string;
  readonly name: string | undefined;
  readonly meta?: Root['meta'];
  readonly issues: readonly RootIssue[];
}

function readEntry(entry: unknown): SentEntry | undefined {
  if (typeof entry === 'string') {
    return { uri: entry, name: undefined, issues: [createRootIssue('string-entry', entry)] };
  }
  const { uri, name: given, _meta: meta } = fieldsOf(entry);
  if (typeof uri !== 'string') return undefined;
  const rest = { uri, ...(isFields(meta) ? { meta } : {}) };
  if (given === undefined || given === null || given === '') return { ...rest, name: undefined, issues: [] };
  if (isUsableName(given)) return { ...rest, name: given, issues: [] };
  return { ...rest, name: undefined, issues: [createRootIssue('bad-name', uri)] };
}

const longestRootName = 256;

function isUsableName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= longestRootName && escapeText(name) === name;
}

/** `C:\` and `/` have no last name: they are called what they are. */
function lastName(path: string, { platform = hostPlatform }: RootUriOptions): string {
  const split = splitPath(path, platform);
  return ('fault' in split ? undefined : split.components.at(-1)) ?? path;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}
