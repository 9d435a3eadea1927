import * as z from 'zod/mini';
import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import { type JsoncText, nodeAt, parseJsonc, positionAt } from '../../base/parse-jsonc.ts';
import { createNaming } from '../../base/naming.ts';
import { quote } from '../../base/quote.ts';
import { namedOf, objectOf, placeText, readValue, someText, type ValueFault } from '../../base/read-value.ts';
import { RootwardError } from '../../errors.ts';
import { nameKey } from '../../path/fold.ts';
import { type PathContext, readRootPlace, readRootRecord } from './root-record.ts';
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
  const refuse: Refuse = ({ path, reason }) => {
    const { offset } = nodeAt(jsonc.tree, path);
    return damaged(context, body, { offset, reason: `${placeText(path)}: ${reason}` });
  };
  const version = readVersion(jsonc.value, context, refuse);
  const document = migrateStore(jsonc.value as Fields, version) as unknown as StoreDocument;
  return { text, jsonc, document, version, ...readDocument(document, { ...context, known, refuse }) };
}

/** Converts a fault to an error with line and column. */
type Refuse = (fault: ValueFault) => RootwardError<'STORE_DAMAGED'>;

function damaged(
  { file }: StoreContext,
  text: string,
  { offset, reason }: { readonly offset: number; readonly reason: string },
): RootwardError<'STORE_DAMAGED'> {
  return new RootwardError('STORE_DAMAGED', { file, ...positionAt(text, offset), reason });
}

const count = z.custom<number>((value) => Number.isSafeInteger(value) && value >= 0, {
  error: 'a non-negative integer is expected',
});

function readVersion(value: unknown, { file }: StoreContext, refuse: Refuse): number {
  const read = readValue(z.object({ version: z.exactOptional(count) }), value);
  if ('fault' in read) throw refuse(read.fault);
  const { version = 0 } = read.value;
  if (version <= currentVersion) return version;
  throw new RootwardError('STORE_TOO_NEW', { file, version, known: currentVersion });
}

/** Roots are read one by one later, because most are known already. */
const storeSchema = objectOf({
  version: z.exactOptional(count),
  revision: z.exactOptional(count),
  roots: z.array(z.unknown()),
  servers: z.exactOptional(namedOf(objectOf({ roots: z.exactOptional(z.array(someText)) }))),
});

interface Reading extends StoreContext {
  readonly known: KnownRoots;
  readonly refuse: Refuse;
}

function readDocument(document: unknown, reading: Reading): Pick<ParsedStore, 'snapshot' | 'known'> {
  const read = readValue(storeSchema, document);
  if ('fault' in read) throw reading.refuse(read.fault);
  const { revision = 0, servers = {} } = read.value;
  const roots = readRoots(read.value.roots, reading);
  const named = Object.entries(servers).map(([name, server]) => [name, readServer(name, server, reading)]);
  return {
    snapshot: { revision, roots: nameApart(roots), servers: Object.fromEntries(named) },
    known: new Map(roots.filter(isNamed).map(({ key, root }) => [key, root])),
  };
}

interface ReadRoot {
  readonly item: unknown;
  /** The record as text. */
  readonly key: string;
  readonly root: StoredRoot;
}

/** Paths and names identify roots, so neither may appear twice. */
function readRoots(items: readonly unknown[], reading: Reading): readonly ReadRoot[] {
  const keyOf = nameKey(reading);
  const [places, names] = [new Set<string>(), new Set<string>()];
  return items.map((item, index) => {
    const read = readRoot(item, index, reading);
    const { path, name } = read.root;
    const refuse = (reason: string): RootwardError => reading.refuse({ path: ['roots', index], reason });
    if (places.has(keyOf(path))) throw refuse(`${quote(path)} appears twice`);
    places.add(keyOf(path));
    if (!isNamed(read)) return read;
    if (names.has(name)) throw refuse(`another root is called ${quote(name)}`);
    names.add(name);
    return read;
  });
}

function readRoot(item: unknown, index: number, { known, refuse, ...context }: Reading): ReadRoot {
  const key = JSON.stringify(item);
  const same = known.get(key);
  if (same !== undefined) return { item, key, root: same };
  const read = readRootRecord(item, context);
  if ('root' in read) return { item, key, root: read.root };
  const { path, reason } = read.fault;
  throw refuse({ path: ['roots', index, ...path], reason });
}

/** Gives unnamed roots a free name. */
function nameApart(read: readonly ReadRoot[]): readonly StoredRoot[] {
  const freeName = createNaming(read.filter(isNamed).map(({ root }) => root.name));
  return read.map((one) => (isNamed(one) ? one.root : { ...one.root, name: freeName(one.root.name) }));
}

function isNamed({ item }: ReadRoot): boolean {
  return 'name' in fieldsOf(item);
}

function readServer(name: string, { roots }: StoredServer, { refuse, ...context }: Reading): StoredServer {
  if (roots === undefined) return {};
  const paths = roots.map((given, index) => {
    const read = readRootPlace(given, context);
    if ('root' in read) return read.root.path;
    throw refuse({ path: ['servers', name, 'roots', index], reason: read.reason });
  });
  return { roots: paths };
}

/** From each older version to the next. Adding a version is adding a step. */
const steps: Readonly<Record<number, (value: Fields) => Fields>> = {
  // A plain list of roots, as clients send it, or of paths: no version, and only roots.
  0: ({ version: _version, roots, ...rest }) => ({
    version: 1,
    revision: 0,
    ...rest,
    roots: Array.isArray(roots) ? roots.map(toRecord) : roots,
  }),
};

/** Converts an older file to the current format, without changing its meaning. */
export function migrateStore(value: Fields, version: number): Fields {
  const step = steps[version];
  return step === undefined || version >= currentVersion ? value : migrateStore(step(value), version + 1);
}

function toRecord(entry: unknown): unknown {
  if (typeof entry === 'string') return entry.startsWith('file:') ? { uri: entry } : { path: entry };
  if (!isFields(entry) || !('_meta' in entry)) return entry;
  const { _meta, ...rest } = entry;
  return rest;
}
