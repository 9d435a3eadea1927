import { type AuditEntry, formatEntry } from '../../audit/entry.ts';
import { RecentMap } from '../../base/recent-map.ts';
import type { AuditFilter, AuditNames, AuditPage, AuditPlot, NumberedEntry } from '../wire/wire.ts';

/** Entries kept in memory; the log itself keeps more. */
const mostKept = 250_000;
/** Drops many old entries together, so that it happens rarely. */
const dropAtOnce = 50_000;
const mostCached = 8;
const mostNames = 500;

const keys = ['caller', 'root', 'operation', 'verdict', 'text'] as const;

interface MatchingEntries {
  readonly test: (entry: AuditEntry) => boolean;
  list: NumberedEntry[];
  /** The number of the last entry that was checked against the filter. */
  tested: number;
}

/** The audit log in memory: finds matching entries and counts them over time. It reads no file itself. */
export class AuditTail {
  #entries: NumberedEntry[] = [];
  #last = 0;
  /** Results by filter, because typing and scrolling repeat the same filter. */
  readonly #cache = new RecentMap<string, MatchingEntries>();
  readonly #callers = new Set<string>();
  readonly #roots = new Set<string>();
  /** Lines of the log that are no entry. */
  skipped = 0;

  /** The number of the newest entry. */
  get last(): number {
    return this.#last;
  }

  add(entry: AuditEntry): void {
    this.#last += 1;
    this.#entries.push({ ...entry, number: this.#last });
    if (entry.caller !== undefined && this.#callers.size < mostNames) this.#callers.add(entry.caller);
    if (entry.root !== undefined && this.#roots.size < mostNames) this.#roots.add(entry.root);
    if (this.#entries.length < mostKept + dropAtOnce) return;
    this.#entries = this.#entries.slice(dropAtOnce);
    this.#cache.clear();
  }

  names(): AuditNames {
    return { callers: [...this.#callers].toSorted(), roots: [...this.#roots].toSorted() };
  }

  /** One page of matching entries from an offset on, newest first. */
  page(filter: AuditFilter, offset: number, limit: number): AuditPage {
    const { list, end } = this.#find(filter);
    const from = Math.max(0, end - offset - limit);
    const entries = list.slice(from, Math.max(0, end - offset)).toReversed();
    return {
      total: end,
      upto: Math.min(filter.upto ?? this.#last, this.#last),
      entries,
      skipped: this.skipped,
    };
  }

  plot(filter: AuditFilter, spans: number): AuditPlot {
    const { list, end } = this.#find(filter);
    const allowed = Array.from({ length: spans }, () => 0);
    const refused = Array.from({ length: spans }, () => 0);
    const [from, to] = [list[0]?.time ?? '', list[end - 1]?.time ?? ''];
    const start = Date.parse(from);
    const span = Math.max(1, (Date.parse(to) - start + 1) / spans);
    for (let index = 0; index < end; index += 1) {
      const entry = list[index];
      if (entry === undefined) break;
      const place = Math.min(spans - 1, Math.max(0, Math.floor((Date.parse(entry.time) - start) / span)));
      const counts = entry.verdict === 'allow' ? allowed : refused;
      counts[place] = (counts[place] ?? 0) + 1;
    }
    return { from, to, allowed, refused };
  }

  /** Matching lines of the log, oldest first. */
  *lines(filter: AuditFilter): Generator<string> {
    const { list, end } = this.#find(filter);
    for (const { number: _number, ...entry } of list.slice(0, end)) yield `${formatEntry(entry)}\n`;
  }

  #find({ upto = Number.POSITIVE_INFINITY, ...filter }: AuditFilter): { list: NumberedEntry[]; end: number } {
    const matches = this.#matches(filter);
    const first = this.#entries[0]?.number ?? 1;
    for (const entry of this.#entries.slice(Math.max(0, matches.tested + 1 - first))) {
      if (matches.test(entry)) matches.list.push(entry);
    }
    matches.tested = this.#last;
    return { list: matches.list, end: countUpTo(matches.list, upto) };
  }

  #matches(filter: AuditFilter): MatchingEntries {
    const key = JSON.stringify(keys.map((name) => filter[name] ?? null));
    const known = this.#cache.get(key) ?? { test: compile(filter), list: [], tested: 0 };
    this.#cache.set(key, known);
    this.#cache.trim(mostCached);
    return known;
  }
}

function compile({ caller, root, operation, verdict, text }: AuditFilter): MatchingEntries['test'] {
  const wanted = text?.trim().toLowerCase() ?? '';
  return (entry) =>
    (caller === undefined || entry.caller === caller) &&
    (root === undefined || entry.root === root) &&
    (operation === undefined || (entry.event ?? entry.operation) === operation) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (wanted === '' || textOf(entry).includes(wanted));
}

function textOf({
  path,
  caller = '',
  root = '',
  rule,
  reason = '',
  code = '',
  operation,
  tool = '',
  place = '',
  detail = '',
}: AuditEntry): string {
  const texts = [path, caller, root, rule, reason, code, operation, tool, place, detail];
  return texts.join('\n').toLowerCase();
}

/** How many entries of a list have a number up to the given one; the list is sorted by number. */
function countUpTo(list: readonly NumberedEntry[], upto: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.number ?? 0) <= upto) low = middle + 1;
    else high = middle;
  }
  return low;
}
