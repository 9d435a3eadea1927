import { isDeepStrictEqual } from 'node:util';
import { RootwardError } from '../../errors.ts';
import type { ParsedStore } from './parse-store.ts';
import type { StoreDocument } from './store-document.ts';

/** A change made through this store, with the content before and after it. */
export interface StoreStep {
  /** For a new file: an empty store. */
  readonly before: ParsedStore;
  readonly after: ParsedStore;
}

/** Maximum number of changes that can be undone. */
const longest = 20;

/** The changes made through one open store, the latest last. */
export class UndoHistory {
  readonly #steps: StoreStep[] = [];

  push(step: StoreStep): void {
    this.#steps.push(step);
    if (this.#steps.length > longest) this.#steps.shift();
  }

  /** The latest step; it stays until `drop`, because undoing it may fail. */
  get last(): StoreStep | undefined {
    return this.#steps.at(-1);
  }

  /** Removes the latest step; `now` replaces the result of the one before it, if the file has that content again. */
  drop(now: ParsedStore | undefined): void {
    this.#steps.pop();
    const { last } = this;
    if (last !== undefined && now !== undefined) this.#steps.splice(-1, 1, { ...last, after: now });
  }
}

/**
 * Computes the content of the file with a change undone. If nothing changed since, that is the old text with its
 * comments; otherwise only the changed entries are restored, and only if they were not changed again.
 *
 * @throws {RootwardError} `CANNOT_UNDO`
 */
export function undoIn(
  current: ParsedStore,
  { before, after }: StoreStep,
): { document: StoreDocument; text?: string } {
  if (current.text === after.text) return { document: before.document, text: before.text };
  const roots = undoList(current.document.roots, before.document.roots, after.document.roots);
  const servers = undoMembers(
    current.document.servers ?? {},
    before.document.servers ?? {},
    after.document.servers ?? {},
  );
  const { servers: _servers, ...rest } = current.document;
  return { document: { ...rest, roots, ...(Object.keys(servers).length === 0 ? {} : { servers }) } };
}

type Records = StoreDocument['roots'];

/** Finds records by content, so that one that was changed since is not found, and the undo is refused. */
function undoList(current: Records, before: Records, after: Records): Records {
  const [gone, come] = [without(before, after), without(after, before)];
  const at = come.map((record) => current.findIndex((other) => isDeepStrictEqual(other, record)));
  if (at.includes(-1)) throw touched();
  const kept = current.filter((_, index) => !at.includes(index));
  const place = at[0] ?? before.findIndex((record) => record === gone[0]);
  return gone.length === 0 ? kept : kept.toSpliced(place, 0, ...gone);
}

function without(records: Records, others: Records): Records {
  const known = new Set(others.map((other) => JSON.stringify(other)));
  return records.filter((record) => !known.has(JSON.stringify(record)));
}

type Members = Readonly<Record<string, unknown>>;

function undoMembers<Of extends Members>(current: Of, before: Of, after: Of): Of {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  if (changed.some((key) => !isDeepStrictEqual(current[key], after[key]))) throw touched();
  const entries = Object.entries({ ...current, ...pick(before, changed) });
  return Object.fromEntries(entries.filter(([key]) => !changed.includes(key) || key in before)) as Of;
}

function pick(members: Members, keys: readonly string[]): Members {
  return Object.fromEntries(keys.filter((key) => key in members).map((key) => [key, members[key]]));
}

function touched(): RootwardError<'CANNOT_UNDO'> {
  return new RootwardError('CANNOT_UNDO', { reason: 'the same entry was changed again' });
}
