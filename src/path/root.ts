import { fieldsOf, isFields } from '../base/fields.ts';
import { escapeText } from '../base/quote.ts';
import { toFileUri } from './file-uri.ts';
import { nameKey } from './fold.ts';
import { hostPlatform } from './platform.ts';
import { readRootUri, type RootUriOptions } from './read-root-uri.ts';
import { createRootIssue, type RootIssue } from './root-issue.ts';
import { splitPath } from './split-path.ts';

/** A granted directory or file. */
export interface Root {
  /** In canonical spelling, which may differ from the one that was sent. */
  readonly uri: string;
  /** Absolute, in native form. */
  readonly path: string;
  /** The name that the sender gave, or else the last component of the path. */
  readonly name: string;
  /** Unknown until the disk was checked. */
  readonly kind: 'directory' | 'file' | 'unknown';
  /** The `_meta` of the entry, as sent. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export type ParsedRoot =
  | { readonly root: Root; readonly issues: readonly RootIssue[] }
  | { readonly root?: never; readonly issues: readonly RootIssue[] };

/**
 * Parses one entry of a client's roots as leniently as possible without guessing. Never throws: an entry that
 * cannot be used is returned as issues alone, and every repair is reported as an issue.
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

/** More entries than this are a mistake or an attack. The rest is dropped, and an issue says so. */
const mostRoots = 100_000;

/**
 * Parses a list of roots, each entry on its own, so that a bad one does not affect the others. A place that
 * is named twice becomes one root.
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

/** `C:\` and `/` have no components and are named after the whole path. */
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
