import path from 'node:path';
import { createNaming } from '../../base/naming.ts';
import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import { nameKey } from '../../path/fold.ts';
import { expandHome } from '../../path/home.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { allowMore, askBefore, denyMore, type PermissionChange } from './change-permissions.ts';
import type { ParsedStore } from './parse-store.ts';
import { permissionsFor } from './permissions-for.ts';
import type { PathContext } from './root-record.ts';
import type { RootRecord, StoreDocument } from './store-document.ts';
import type { Grant, ListNeighbours, RemovedRoot, StoredRoot } from './stored-root.ts';
import { indexAmong } from './undo-history.ts';

/** The content of a store before a change. */
export type StoreBefore = Pick<ParsedStore, 'document' | 'snapshot'>;

/** A change of the content of a store. Pure, because it may have to run again on a file that changed meanwhile. */
export type StoreChange = (current: StoreBefore, context: PathContext) => StoreDocument;

/** Adds a root, under a free name unless the record has one. */
export function addRecord(record: NewRecord, suggestedName: string): StoreChange {
  return addRecords([{ record, suggestedName }]);
}

/** A root to add, and its name if the record has none. */
export interface RootAddition {
  readonly record: NewRecord;
  readonly suggestedName: string;
}

/** Adds all of them, or none. */
export function addRecords(additions: readonly RootAddition[]): StoreChange {
  return ({ document, snapshot: { roots } }, context) => {
    const key = nameKey(context);
    const places = new Set(roots.map((root) => key(root.path)));
    const freeName = createNaming(roots.map((root) => root.name));
    const added = additions.map(({ record, suggestedName }) => {
      const { path, uri: _uri, name, ...rest } = record;
      if (places.has(key(path))) throw new RootwardError('ALREADY_EXISTS', { verb: 'add', path });
      places.add(key(path));
      // Invisible characters in the name of a directory are escaped, because the name is for people.
      const visible = escapeText(suggestedName).slice(0, longestSuggestion);
      const free = freeName(name ?? visible);
      if (name !== undefined && free !== name) throw takenName(name);
      return { path, name: free, ...rest };
    });
    return { ...document, roots: [...document.roots, ...added] };
  };
}

/** Leaves room for a number. */
const longestSuggestion = 200;

export type NewRecord = RootRecord & { readonly path: string };

/** Removes a root, also from server lists, so that adding it again starts fresh. */
export function removeRecord(which: string): StoreChange {
  return (current, context) => {
    const { document, snapshot } = current;
    const { index, root } = requireRoot(current, which, context);
    const roots = document.roots.filter((_, other) => other !== index);
    if (document.servers === undefined) return { ...document, roots };
    const servers = Object.entries(document.servers).map(([name, server]) => {
      const listed = snapshot.servers[name]?.roots ?? [];
      if (server.roots === undefined || !listed.includes(root.path)) return [name, server] as const;
      return [name, { roots: server.roots.filter((_, other) => listed[other] !== root.path) }] as const;
    });
    return { ...document, roots, servers: Object.fromEntries(servers) };
  };
}

export function renameRecord(which: string, name: string): StoreChange {
  return changeRecord(which, ({ record, root }, roots) => {
    requireFree(
      roots.filter((other) => other !== root),
      name,
    );
    return { ...record, name };
  });
}

export function allowRecord(which: string, change: PermissionChange, server?: string): StoreChange {
  return changePermissions(which, server, (levels) => allowMore(levels, change));
}

export function denyRecord(which: string, change: PermissionChange, server?: string): StoreChange {
  return changePermissions(which, server, (levels) => denyMore(levels, change));
}

export function askRecord(which: string, change: PermissionChange, server?: string): StoreChange {
  return changePermissions(which, server, (levels) => askBefore(levels, change));
}

/** Restores a removed root with all its data; under another name if its own is taken. */
export function restoreRecord({ root, listedBy = [], neighbours }: RemovedRoot): StoreChange {
  return (current, context) => {
    const { path, name, added, permissions, servers, grants } = root;
    const isTaken = current.snapshot.roots.some((other) => other.name === name);
    const record: NewRecord = {
      path,
      ...(isTaken ? {} : { name }),
      ...(added === undefined ? {} : { added }),
      ...permissions,
      ...(Object.keys(servers).length === 0 ? {} : { servers }),
      ...(grants.length === 0 ? {} : { grants }),
    };
    const longer = addRecord(record, name)(current, context);
    const document = neighbours === undefined ? longer : moveLast(longer, current, neighbours);
    const listed = Object.entries(document.servers ?? {}).map(([server, known]) =>
      listedBy.includes(server) && known.roots !== undefined
        ? ([server, { ...known, roots: [...known.roots, path] }] as const)
        : ([server, known] as const),
    );
    return listed.length === 0 ? document : { ...document, servers: Object.fromEntries(listed) };
  };
}

function moveLast(
  added: StoreDocument,
  { snapshot }: StoreBefore,
  neighbours: ListNeighbours,
): StoreDocument {
  const index = indexAmong(
    snapshot.roots.map(({ path: place }) => place),
    neighbours,
  );
  const others = added.roots.slice(0, -1);
  return { ...added, roots: others.toSpliced(index, 0, ...added.roots.slice(-1)) };
}

/** Adds a grant, in place of the earlier ones for the same server. */
export function grantRecord(which: string, grant: Grant): StoreChange {
  return changeRecord(which, ({ record }) => ({
    ...record,
    grants: [...(record.grants ?? []).filter((other) => !isSameServer(other, grant)), grant],
  }));
}

/** A grant without a fingerprint replaces all grants for servers of that name. */
function isSameServer(other: Grant, grant: Grant): boolean {
  if (other.server !== grant.server) return false;
  return grant.fingerprint === undefined || other.fingerprint === grant.fingerprint;
}

export function forgetGrants(which: string, server: string): StoreChange {
  return changeRecord(which, ({ record: { grants, ...rest } }) => {
    const left = grants?.filter((grant) => grant.server !== server) ?? [];
    return left.length === 0 ? rest : { ...rest, grants: left };
  });
}

/** Sets the only roots that a server may see; `undefined` removes the list. */
export function limitServer(server: string, roots: readonly string[] | undefined): StoreChange {
  return (current, context) => {
    const { [server]: _before, ...others } = current.document.servers ?? {};
    const paths = roots?.map((which) => requireRoot(current, which, context).root.path);
    const servers =
      paths === undefined ? others : { ...current.document.servers, [server]: { roots: paths } };
    const { servers: _old, ...rest } = current.document;
    return Object.keys(servers).length === 0 ? rest : { ...rest, servers };
  };
}

interface StoredEntry {
  readonly index: number;
  readonly root: StoredRoot;
  readonly record: RootRecord;
}

function changeRecord(
  which: string,
  change: (found: StoredEntry, roots: readonly StoredRoot[]) => RootRecord,
): StoreChange {
  return (current, context) => {
    const found = requireRoot(current, which, context);
    const record = change(found, current.snapshot.roots);
    const roots = current.document.roots.map((other, index) => (index === found.index ? record : other));
    return { ...current.document, roots };
  };
}

function changePermissions(
  which: string,
  server: string | undefined,
  change: (levels: { own: PermissionConfig; effective: PermissionConfig }) => PermissionConfig,
): StoreChange {
  return changeRecord(which, ({ record, root }) => {
    const effective = permissionsFor(root, server);
    if (server !== undefined) {
      const own = change({ own: root.servers[server] ?? {}, effective });
      return withServer(record, server, own);
    }
    const { preset: _preset, allow: _allow, ask: _ask, deny: _deny, ...rest } = record;
    return { ...rest, ...change({ own: root.permissions, effective }) };
  });
}

/** Omits an empty entry. */
function withServer(record: RootRecord, server: string, own: PermissionConfig): RootRecord {
  const { servers = {}, ...rest } = record;
  const { [server]: _before, ...others } = servers;
  const all = Object.keys(own).length === 0 ? others : { ...servers, [server]: own };
  return Object.keys(all).length === 0 ? rest : { ...record, servers: all };
}

function requireRoot(
  { document, snapshot: { roots } }: StoreBefore,
  which: string,
  context: PathContext,
): StoredEntry {
  const index = indexOfRoot(roots, which, context);
  const [root, record] = index === undefined ? [] : [roots[index], document.roots[index]];
  if (index === undefined || root === undefined || record === undefined) {
    throw new RootwardError('UNKNOWN_ROOT', { root: which, known: roots.map(({ name }) => name) });
  }
  return { index, root, record };
}

function requireFree(roots: readonly StoredRoot[], name: string): void {
  if (roots.some((root) => root.name === name)) throw takenName(name);
}

function takenName(name: string): RootwardError<'INVALID_NAME'> {
  return new RootwardError('INVALID_NAME', { name, reason: 'another root has it' });
}

/**
 * Returns the index of the root with this name, path or file URI. A text that looks like a path is never taken for a
 * name: a root named like the path of another must not be mistaken for it.
 */
export function indexOfRoot(
  roots: readonly StoredRoot[],
  which: string,
  context: PathContext,
): number | undefined {
  const index = isPlace(which, context)
    ? indexOfPlace(roots, which, context)
    : roots.findIndex(({ name }) => name === which);
  return index === -1 ? undefined : index;
}

function isPlace(which: string, { platform }: PathContext): boolean {
  return isFileUri(which) || /^~[\\/]/.test(which) || path[platform].isAbsolute(which);
}

function indexOfPlace(roots: readonly StoredRoot[], which: string, context: PathContext): number {
  const { platform } = context;
  const place = isFileUri(which) ? readFileUri(which, { platform }) : expandHome(which, context);
  if (typeof place !== 'string') return -1;
  const key = nameKey(context);
  const wanted = key(withoutSlash(place, context));
  return roots.findIndex((root) => key(root.path) === wanted);
}

function withoutSlash(place: string, { platform }: PathContext): string {
  return place.replace(platform === 'win32' ? /(?<=[^:\\/])[\\/]+$/ : /(?<=[^/])\/+$/, '');
}
