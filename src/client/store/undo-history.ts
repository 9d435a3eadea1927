import { isDeepStrictEqual } from 'node:util';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import type { ParsedStore } from './parse-store.ts';
import type { StoreDocument } from './store-document.ts';
import type { ListNeighbours, StoredRoot } from './stored-root.ts';

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
  const at = new Set(come.map((record) => current.findIndex((other) => isDeepStrictEqual(other, record))));
  if (at.has(-1)) throw touched();
  const old = new Map(gone.map((record) => [placeOf(record), record]));
  // A record that was changed stays where it is now; one that was removed returns to its neighbours.
  const kept = current.flatMap((record, index) =>
    at.has(index) ? (old.get(placeOf(record)) ?? []) : [record],
  );
  return gone
    .filter((record) => !kept.includes(record))
    .reduce((list, record) => {
      const index = before.indexOf(record);
      const places = before.map(placeOf);
      const neighbours = { before: places.slice(0, index), after: places.slice(index + 1) };
      return list.toSpliced(indexAmong(list.map(placeOf), neighbours), 0, record);
    }, kept);
}

function placeOf({ path, uri }: Records[number]): string {
  return path ?? uri ?? '';
}

/** The index at which an entry returns: after the nearest entry that stood before it, or before the nearest behind it. */
export function indexAmong(places: readonly string[], { before, after }: ListNeighbours): number {
  const last = before.findLast((place) => places.includes(place));
  if (last !== undefined) return places.indexOf(last) + 1;
  const next = after.find((place) => places.includes(place));
  return next === undefined ? places.length : places.indexOf(next);
}

/** Says what undoing a step takes back, one clause for each root and server. */
export function describeUndo({ before, after }: StoreStep): readonly string[] {
  const [old, now] = [rootsOf(before), rootsOf(after)];
  const names = (servers: StoreDocument['servers'] = {}): readonly string[] => Object.keys(servers);
  const servers = new Set([...names(before.document.servers), ...names(after.document.servers)]);
  const serverOf = (store: ParsedStore, name: string): unknown => store.document.servers?.[name];
  return [
    ...[...now]
      .filter(([path]) => !old.has(path))
      .map(([, { name }]) => `${quote(name)} is no root any more`),
    ...[...old].filter(([path]) => !now.has(path)).map(([, { name }]) => `${quote(name)} is a root again`),
    ...[...old]
      .filter(([path, root]) => now.has(path) && !isDeepStrictEqual(now.get(path), root))
      .map(
        ([path, root]) => `${quote(now.get(path)?.name ?? '')} is ${describeOld(root, now.get(path))} again`,
      ),
    ...[...servers]
      .filter((name) => !isDeepStrictEqual(serverOf(before, name), serverOf(after, name)))
      .map((name) => `the list of the server ${quote(name)} is as before`),
  ];
}

function rootsOf({ snapshot }: ParsedStore): ReadonlyMap<string, StoredRoot> {
  return new Map(snapshot.roots.map((root) => [root.path, root]));
}

function describeOld(root: StoredRoot, now: StoredRoot | undefined): string {
  return root.name === now?.name ? 'permitted what it was' : `called ${quote(root.name)}`;
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
