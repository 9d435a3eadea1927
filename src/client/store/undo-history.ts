import { isDeepStrictEqual } from 'node:util';
import { RootwardError } from '../../errors.ts';
import type { ParsedStore } from './parse-store.ts';
import type { StoreDocument } from './store-document.ts';

/** A change that was made here, from both sides. */
export interface StoreStep {
  /** Of a new file there was nothing before. */
  readonly before: ParsedStore;
  readonly after: ParsedStore;
}

/** How many changes can be taken back. */
const longest = 20;

/** The changes that one open store has made, the latest first to go. */
export class UndoHistory {
  readonly #steps: StoreStep[] = [];

  push(step: StoreStep): void {
    this.#steps.push(step);
    if (this.#steps.length > longest) this.#steps.shift();
  }

  /** The latest; it stays until `drop`, because taking it back may fail. */
  get last(): StoreStep | undefined {
    return this.#steps.at(-1);
  }

  /** Takes the latest away; `now` is what the one before it has left, if the file says that again. */
  drop(now: ParsedStore | undefined): void {
    this.#steps.pop();
    const { last } = this;
    if (last !== undefined && now !== undefined) this.#steps.splice(-1, 1, { ...last, after: now });
  }
}

/**
 * What the file has to say for a change to be undone. If nothing happened since, that is the old text with its
 * comments; if something did, only what the change touched goes back, and only if nobody touched it again.
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

/** Finds records by what is in them: a record that was changed since is not found, and that is the point. */
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
  return new RootwardError('CANNOT_UNDO', { reason: 'somebody has changed the same again' });
}
