import { createHmac, randomBytes } from 'node:crypto';
import { type AuditEntry, changeAt } from './entry.ts';
import type { AuditSink } from './sink.ts';

export interface RedactOptions {
  /**
   * `names` keeps only the extension of the last name, besides the name of the root. `hash` keeps a short
   * keyed hash, so that equal paths stay equal. `none`, the default, keeps the path.
   */
  readonly paths?: 'names' | 'hash' | 'none';
  /** `hash` keeps a short keyed hash; `none`, the default, keeps the caller. */
  readonly callers?: 'hash' | 'none';
  /** `hash` keeps a short keyed hash of a command line; `none`, the default, keeps it. */
  readonly commands?: 'hash' | 'none';
  /** Makes hashes comparable across runs. By default a new random key. */
  readonly key?: string | Uint8Array;
}

/**
 * Wraps a sink and replaces texts that could identify a person or a project. Verdict, rule and reason stay:
 * they consist of the policy's words, which name no path.
 *
 * @example
 * ```ts
 * const memory = createMemorySink();
 * redact(memory, { paths: 'names' }).record({ path: 'clients/smith.txt', root: 'app' });
 * memory.entries() // → [{ path: '*.txt', root: 'app' }]
 * ```
 */
export function redact(sink: AuditSink, options: RedactOptions = {}): AuditSink {
  const { paths = 'none', callers = 'none', commands = 'none', key = randomBytes(32) } = options;
  const hash = (text: string): string => shortHash(text, key);
  return {
    ready: () => sink.ready?.(),
    record(entry) {
      const uncommanded = commands === 'none' ? entry : hideCommand(entry, hash);
      return sink.record(hideCaller(hidePath(uncommanded, paths, hash), callers, hash));
    },
    close: () => sink.close(),
  };
}

type Hash = (text: string) => string;

function hidePath(entry: AuditEntry, paths: 'names' | 'hash' | 'none', hash: Hash): AuditEntry {
  switch (paths) {
    case 'none':
      return entry;
    case 'names':
      return withPaths(entry, (path) => `*${extensionOf(path)}`);
    case 'hash':
      return withPaths(entry, hash);
  }
}

/** Drops the detail: a command line or the other path of a move may name any path. */
function withPaths({ detail: _detail, ...entry }: AuditEntry, hide: Hash): AuditEntry {
  const { path, place, changed } = entry;
  return {
    ...entry,
    path: hide(path),
    ...(place === undefined ? {} : { place: hide(place) }),
    ...(changed && { changed: changed.map((change) => changeAt(change, hide(change.place))) }),
  };
}

function hideCaller(entry: AuditEntry, callers: 'hash' | 'none', hash: Hash): AuditEntry {
  if (callers === 'none') return entry;
  const { caller, client } = entry;
  return {
    ...entry,
    ...(caller !== undefined && { caller: hash(caller) }),
    ...(client !== undefined && { client: hash(client) }),
  };
}

function hideCommand(entry: AuditEntry, hash: Hash): AuditEntry {
  const { operation, detail } = entry;
  return operation !== 'execute' || detail === undefined ? entry : { ...entry, detail: hash(detail) };
}

/** 64 bits: among a million paths, a collision happens in one of forty million logs. */
function shortHash(text: string, key: string | Uint8Array): string {
  return `#${createHmac('sha256', key).update(text).digest('hex').slice(0, 16)}`;
}

/** Accepts only a usual extension, because the text after the last dot can be anything. */
function extensionOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return /[^.](\.[A-Za-z][A-Za-z0-9]{0,7})$/.exec(name)?.[1] ?? '';
}
