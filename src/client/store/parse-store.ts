import { isFields, isObject } from '../../base/fields.ts';
import { quote } from '../../base/quote.ts';
import { type JsoncText, nodeAt, parseJsonc, positionAt } from '../../config/parse-jsonc.ts';
import { RootwardError } from '../../errors.ts';
import { nameKey } from '../../path/fold.ts';
import {
  countOf,
  itemsOf,
  membersOf,
  namedOf,
  type PathContext,
  readRootPlace,
  readRootRecord,
  type JsonField,
  StoreFault,
} from './root-record.ts';
import { currentVersion, type StoreDocument } from './store-document.ts';
import type { StoredRoot, StoredServer, StoreSnapshot } from './stored-root.ts';

export interface StoreContext extends PathContext {
  /** The name of the file in messages. */
  readonly file: string;
}

/**
 * Parsed roots by the text of their record: most records stay the same from one version of a file to the next. Holds
 * only records with a name, because any other name depends on the rest of the file.
 */
export type KnownRoots = ReadonlyMap<string, StoredRoot>;

/** A parsed file. */
export interface ParsedStore {
  readonly text: string;
  readonly jsonc: JsoncText;
  /** The content in the current format. Its roots correspond to those of the snapshot by index. */
  readonly document: StoreDocument;
  readonly snapshot: StoreSnapshot;
  readonly known: KnownRoots;
  /** The version on disk. */
  readonly version: number;
}

/** Windows editors may put this in front of the text. */
export const byteOrderMark = '\uFEFF';

/**
 * Parses the file with the roots.
 *
 * @throws {RootwardError} `STORE_DAMAGED` with line and column, `STORE_TOO_NEW`
 */
export function parseStore(text: string, context: StoreContext, known: KnownRoots = new Map()): ParsedStore {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const jsonc = parseJsonc(body);
  if ('fault' in jsonc) throw damaged(context, body, jsonc.fault);
  try {
    const version = readVersion(jsonc.value, context);
    const document = migrateStore(jsonc.value as Readonly<Record<string, unknown>>, version);
    const { snapshot, known: read } = readDocument({ value: document, path: [] }, context, known);
    return { text, jsonc, document: document as unknown as StoreDocument, snapshot, known: read, version };
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const { offset } = nodeAt(jsonc.tree, error.path);
    throw damaged(context, body, { offset, reason: error.reason });
  }
}

function damaged(
  { file }: StoreContext,
  text: string,
  { offset, reason }: { readonly offset: number; readonly reason: string },
): RootwardError<'STORE_DAMAGED'> {
  return new RootwardError('STORE_DAMAGED', { file, ...positionAt(text, offset), reason });
}

function readVersion(value: unknown, { file }: StoreContext): number {
  const version = namedOf({ value, path: [] }).find(([key]) => key === 'version')?.[1];
  const number = version === undefined ? 0 : countOf(version);
  if (number <= currentVersion) return number;
  throw new RootwardError('STORE_TOO_NEW', { file, version: number, known: currentVersion });
}

interface ReadDocument {
  readonly snapshot: StoreSnapshot;
  readonly known: KnownRoots;
}

function readDocument(spot: JsonField, context: StoreContext, known: KnownRoots): ReadDocument {
  const { revision, roots, servers } = membersOf(spot, ['version', 'revision', 'roots', 'servers']);
  if (roots === undefined) throw new StoreFault(spot, '"roots" is missing');
  const read = readRoots(roots, context, known);
  const named = servers === undefined ? [] : namedOf(servers);
  const snapshot = {
    revision: revision === undefined ? 0 : countOf(revision),
    roots: nameApart(read),
    servers: Object.fromEntries(named.map(([name, server]) => [name, readServer(server, context)])),
  };
  return {
    snapshot,
    known: new Map(read.filter(({ item }) => isNamed(item)).map(({ key, root }) => [key, root])),
  };
}

interface ReadRoot {
  readonly item: JsonField;
  /** The record as text. */
  readonly key: string;
  readonly root: StoredRoot;
}

/** Paths and names identify roots, so neither may appear twice. */
function readRoots(spot: JsonField, context: StoreContext, known: KnownRoots): readonly ReadRoot[] {
  const keyOf = nameKey(context);
  const [places, names] = [new Set<string>(), new Set<string>()];
  return itemsOf(spot).map((item) => {
    const key = JSON.stringify(item.value);
    const root = known.get(key) ?? readRootRecord(item, context);
    const place = keyOf(root.path);
    if (places.has(place)) throw new StoreFault(item, `${quote(root.path)} appears twice`);
    places.add(place);
    if (isNamed(item)) takeName(item, root.name, names);
    return { item, key, root };
  });
}

function takeName(item: JsonField, name: string, names: Set<string>): void {
  if (names.has(name)) throw new StoreFault(item, `another root is called ${quote(name)}`);
  names.add(name);
}

/** Gives unnamed roots a free name. */
function nameApart(read: readonly ReadRoot[]): readonly StoredRoot[] {
  const names = new Set(read.filter(({ item }) => isNamed(item)).map(({ root }) => root.name));
  return read.map(({ item, root }) => (isNamed(item) ? root : { ...root, name: freeName(root.name, names) }));
}

function isNamed({ value }: JsonField): boolean {
  return isObject(value) && 'name' in value;
}

/** Returns the first free name of `app`, `app-2`, `app-3` and so on, and marks it as taken. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
  taken.add(name);
  return name;
}

function readServer(spot: JsonField, context: StoreContext): StoredServer {
  const { roots } = membersOf(spot, ['roots']);
  if (roots === undefined) return {};
  return { roots: itemsOf(roots).map((item) => readRootPlace(item, undefined, context).path) };
}

type Members = Readonly<Record<string, unknown>>;

/** Migrations, from each older version to the next. */
const steps: Readonly<Record<number, (value: Members) => Members>> = {
  // A plain list of roots, as clients send it, or of paths: no version, and only roots.
  0: ({ version: _version, roots, ...rest }) => ({
    version: 1,
    revision: 0,
    ...rest,
    roots: Array.isArray(roots) ? roots.map(toRecord) : roots,
  }),
};

/** Converts an older file to the current format, without changing its meaning. */
export function migrateStore(value: Members, version: number): Members {
  const step = steps[version];
  return step === undefined || version >= currentVersion ? value : migrateStore(step(value), version + 1);
}

function toRecord(entry: unknown): unknown {
  if (typeof entry === 'string') return entry.startsWith('file:') ? { uri: entry } : { path: entry };
  if (!isFields(entry) || !('_meta' in entry)) return entry;
  const { _meta, ...rest } = entry;
  return rest;
}
