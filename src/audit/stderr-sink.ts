import type { Writable } from 'node:stream';
import { quote } from '../base/quote.ts';
import { RootwardError } from '../errors.ts';
import type { AuditChange, AuditEntry } from './entry.ts';
import { auditClosed, type AuditSink } from './sink.ts';

/**
 * Creates a sink that prints each entry as one line for a person. Writes to standard error by default, and
 * refuses standard output, which carries the protocol. The stream stays the caller's.
 *
 * @throws {RootwardError} `AUDIT_FAILED` for standard output
 * @example
 * ```ts
 * createStderrSink(process.stdout) // throws AUDIT_FAILED
 * ```
 */
export function createStderrSink(stream: Writable = process.stderr): AuditSink {
  if (stream === process.stdout) throw failed('standard output belongs to the protocol');
  let closed = false;
  // Each write reports its own failure; without a listener the same error would end the process.
  const ignore = (): void => {};
  stream.on('error', ignore);
  const requireOpen = (): void => {
    if (closed) throw auditClosed();
    if (!stream.writable) throw failed('the stream has ended');
  };
  return {
    ready: requireOpen,
    record(entry) {
      requireOpen();
      return writeLine(stream, `${describeEntry(entry)}\n`);
    },
    async close() {
      closed = true;
      stream.off('error', ignore);
    },
  };
}

function writeLine(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(line, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(failed('the stream cannot be written', error));
    });
  });
}

function failed(reason: string, cause?: Error): RootwardError<'AUDIT_FAILED'> {
  return new RootwardError('AUDIT_FAILED', { reason }, cause === undefined ? {} : { cause });
}

/**
 * Describes an entry in one line for a person. Nothing in it can move the cursor or begin another line.
 *
 * @example
 * ```ts
 * describeEntry({
 *   time: '2025-06-01T12:00:00.000Z', operation: 'write', path: '.env', root: 'app', verdict: 'deny',
 *   rule: 'deny:.env', reason: 'it holds secrets', outcome: 'refused', code: 'DENIED', duration: 0.1, revision: 1,
 * }) // → '2025-06-01T12:00:00.000Z deny write ".env" in "app": it holds secrets (deny:.env, refused DENIED, 0.1 ms)'
 * ```
 */
export function describeEntry(entry: AuditEntry): string {
  const { time, operation, event = operation, path, verdict, rule, reason, outcome, code } = entry;
  const what = event === 'look' ? `look at ${operation}` : event;
  const why = reason === undefined ? '' : `: ${bare(reason)}`;
  const end = code === undefined ? outcome : `${outcome} ${bare(code)}`;
  const ended = [bare(rule), end, ...doneBefore(entry), `${Math.round(entry.duration * 1_000) / 1_000} ms`];
  return `${time} ${verdict} ${what} ${quote(path)}${whereOf(entry)}${whoIn(entry)}${why} (${ended.join(', ')})`;
}

function whereOf(entry: AuditEntry): string {
  const { root, detail } = entry;
  const place = otherPlace(entry);
  const real = place === undefined ? '' : `, which is ${quote(place)},`;
  const where = root === undefined ? '' : ` in ${quote(root)}`;
  return `${real}${where}${detail === undefined ? '' : ` [${bare(detail)}]`}`;
}

/**
 * The place of an entry, if the path as asked does not name it, for one line to a person. An absolute path names a
 * place that it ends in.
 *
 * @example
 * ```ts
 * otherPlace({ path: 'link/a.txt', place: 'real/a.txt' }) // → 'real/a.txt'
 * otherPlace({ path: '/srv/app/a.txt', place: 'a.txt' }) // → undefined
 * ```
 */
export function otherPlace({ path, place }: Pick<AuditEntry, 'path' | 'place'>): string | undefined {
  if (place === undefined || place === '.') return undefined;
  const asked = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
  const isWhole = /^(?:\/|[A-Za-z]:|file:)/.test(asked);
  return asked === place || (isWhole && asked.endsWith(`/${place}`)) ? undefined : place;
}

function whoIn({ caller, tool }: AuditEntry): string {
  const by = tool === undefined ? '' : ` by ${bare(tool)}`;
  return caller === undefined ? by : `${by} for ${quote(caller)}`;
}

/** Completed operations need no list of changes. */
function doneBefore({ outcome, changed = [] }: AuditEntry): readonly string[] {
  const before =
    outcome === 'done' || changed.length === 0 ? [] : [`after it had ${describeChanges(changed)}`];
  const lines = linesIn({ changed });
  return lines === undefined ? before : [...before, `${lines} lines`];
}

/**
 * The lines that the changes of an entry added and removed, for a person; `undefined` if none were counted.
 *
 * @example
 * ```ts
 * linesIn({ changed: [{ kind: 'written', place: 'a', count: 1, lines: { added: 2, removed: 0 } }] }) // → '+2 -0'
 * ```
 */
export function linesIn({ changed = [] }: Pick<AuditEntry, 'changed'>): string | undefined {
  const all = changed.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
  if (all.length === 0) return undefined;
  const sum = (key: 'added' | 'removed'): number => all.reduce((total, lines) => total + lines[key], 0);
  return `+${sum('added')} -${sum('removed')}`;
}

const verbs = {
  made: 'made',
  written: 'written',
  removed: 'removed',
  'moved-here': 'moved something to',
  'moved-away': 'moved away',
  mode: 'changed the mode of',
  started: 'started a program in',
} as const satisfies { readonly [Kind in AuditChange['kind']]: string };

/**
 * Describes changes in words that complete "it had …".
 *
 * @example
 * ```ts
 * describeChanges([{ kind: 'removed', place: 'build', count: 12 }]) // → 'removed "build" (12 entries)'
 * ```
 */
export function describeChanges(changes: readonly AuditChange[]): string {
  const words = changes.map(({ kind, place, count }) => {
    const many = count > 1 && kind !== 'written' ? ` (${count} entries)` : '';
    return `${verbs[kind]} ${quote(place)}${many}`;
  });
  return words.join(', ');
}

/** Mostly Rootward's own words, but escaped anyway; without quotes. */
function bare(text: string): string {
  return quote(text).slice(1, -1).replaceAll('\\"', '"');
}
