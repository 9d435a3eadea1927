import { dirname } from 'node:path';
import { quote } from '../../base/quote.ts';
import { lookAt, type RefusedLook, type PlaceLook } from '../../boundary/look/look-at.ts';
import { type MountTable, readMountTable } from '../../boundary/system/mount-table.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import {
  createRootIssue,
  type IssueDetails,
  type RootIssue,
  type RootIssueCode,
} from '../../path/root-issue.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import { separatorOf } from '../../path/split-path.ts';
import { findDanger, type MachinePlaces } from '../../workspace/chain/danger.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import { surroundings } from '../../workspace/chain/resolve-workspace.ts';
import { liesOnNoMount } from '../watch/liveness.ts';
import { createRootFinding, type RootFinding } from './root-finding.ts';
import {
  findSensitive,
  ownPlaces,
  readPlaces,
  type LocatedSensitive,
  sensitiveWithin,
} from './sensitive-places.ts';

/** A root, an entry as clients send it, or an absolute path. */
export type RootEntry = string | { readonly uri: string; readonly name?: string };

export interface FindRootIssuesOptions {
  /** Home directory and the like; those of this machine by default. */
  readonly around?: Partial<MachinePlaces>;
  /** Rootward's own files, such as the root store; the directories of this user by default. */
  readonly own?: readonly string[];
  /** Accept network shares as roots. */
  readonly unc?: boolean;
  /** Milliseconds that one look at the disk may take; 5,000 by default. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

/**
 * Validates roots: finds reasons against showing them to a server. Those are another scheme, missing, no permission,
 * duplicate, nested, too broad, sensitive, a link that leads elsewhere, not mounted. The files that Rootward itself
 * decides by are sensitive, and so is every directory that contains them. Each finding has a severity and a hint; the
 * list is empty if there are none. Places are compared by their real path, so `/etcetera` is not `/etc` and a link to
 * `~/.ssh` counts as `~/.ssh`.
 *
 * Not guaranteed: this is a look at one moment. Access is decided by a `Boundary` when a server asks.
 *
 * @example
 * ```ts
 * await findRootIssues(process.cwd()) // → []
 * const found = await findRootIssues([{ uri: 'https://example.com/app' }, { uri: 'file:///etc' }]);
 * found.map(({ code, severity, index }) => `${index} ${severity}: ${code}`) // → ['0 error: foreign-scheme', '1 error: sensitive']
 * ```
 */
export async function findRootIssues(
  entries: RootEntry | readonly RootEntry[],
  options: FindRootIssuesOptions = {},
): Promise<readonly RootFinding[]> {
  const list = typeof entries === 'string' || 'uri' in entries ? [entries] : entries;
  return inspectRoots(list, await prepareInspection(options));
}

/** Does the same with data that was prepared before. */
export async function inspectRoots(
  list: readonly RootEntry[],
  inspection: InspectionContext,
): Promise<readonly RootFinding[]> {
  const { around, options } = inspection;
  const seen: SeenRoot[] = [];
  const findings: RootFinding[] = [];
  for (let start = 0; start < list.length; start += atOnce) {
    options.signal?.throwIfAborted();
    const part = list.slice(start, start + atOnce).map((entry, at) => ({ entry, index: start + at }));
    for (const judged of await Promise.all(part.map((one) => judgeEntry(one, inspection)))) {
      findings.push(...judged.findings);
      if (judged.seen !== undefined) seen.push(judged.seen);
    }
  }
  findings.push(...compareRoots(seen, around.platform));
  return findings.toSorted((one, other) => one.index - other.index);
}

/** Maximum number of concurrent looks at the disk. */
const atOnce = 16;

/** The data that entries are compared with. */
export interface InspectionContext {
  readonly around: MachinePlaces;
  readonly places: readonly LocatedSensitive[];
  readonly mounts: MountTable;
  readonly options: FindRootIssuesOptions;
}

export async function prepareInspection(options: FindRootIssuesOptions): Promise<InspectionContext> {
  const around = await surroundings(realDisk, options.around);
  const { home = '', platform } = around;
  const own = options.own ?? (platform === hostPlatform ? ownPlaces() : []);
  const [places, mounts] = await Promise.all([readPlaces({ home, platform, own }), readMountTable()]);
  return { around, places, mounts, options };
}

interface IndexedEntry {
  readonly entry: RootEntry;
  readonly index: number;
}

interface JudgedEntry {
  readonly findings: readonly RootFinding[];
  readonly seen?: SeenRoot;
}

/** Issues that are not worth reporting to a caller that passed a path on purpose. */
const ofPaths: ReadonlySet<RootIssueCode> = new Set<RootIssueCode>(['string-entry', 'bare-path']);

async function judgeEntry(
  { entry, index }: IndexedEntry,
  inspection: InspectionContext,
): Promise<JudgedEntry> {
  const { around, options } = inspection;
  const { platform } = around;
  const { root, issues } = parseRoot(entry, { platform, unc: options.unc ?? false });
  const relevant = typeof entry === 'string' ? issues.filter(({ code }) => !ofPaths.has(code)) : issues;
  const findings = relevant.map((issue) => createRootFinding(issue, index));
  if (root === undefined) return { findings };
  const look = await lookAt(root.path, options);
  if ('refused' in look) {
    const refusal = await explainRefusal(root, look, inspection);
    const judged = judgeRoot({ root, index, real: root.path }, inspection);
    return { findings: [...findings, createRootFinding(refusal, index), ...judged] };
  }
  const seen: SeenRoot = { root, index, real: look.real, look };
  return { findings: [...findings, ...judgeLook(seen, look), ...judgeRoot(seen, inspection)], seen };
}

async function explainRefusal(
  { path, uri }: Root,
  { refused }: RefusedLook,
  { mounts, around }: InspectionContext,
): Promise<RootIssue> {
  switch (refused) {
    case 'no-permission':
      return createRootIssue('no-permission', uri);
    case 'silent':
      return createRootIssue('unmounted', uri, { state: 'its file system does not answer' });
    case 'missing': {
      const isOff = liesOnNoMount(path, await mounts.mountOf(path), around.platform);
      return createRootIssue(isOff ? 'unmounted' : 'missing', uri);
    }
  }
}

function judgeLook({ root, index, real }: SeenRoot, { kind, readable }: PlaceLook): readonly RootFinding[] {
  const find = (code: RootIssueCode, where?: string): RootFinding =>
    createRootFinding(createRootIssue(code, root.uri), index, where);
  const findings: RootFinding[] = [];
  if (kind !== 'file' && kind !== 'directory') findings.push(find('unusable'));
  else if (!readable) findings.push(find('no-permission'));
  if (leadsElsewhere(root.path, real)) findings.push(find('leads-elsewhere', real));
  return findings;
}

/**
 * Tells whether a link in a path leads elsewhere. Links at the top of the file system, such as `/tmp` and `/var` of
 * macOS, are ignored: they belong to the system.
 */
function leadsElsewhere(path: string, real: string): boolean {
  const spelled = path.split(/[\\/]/).filter((name) => name !== '');
  const names = real.split(/[\\/]/).filter((name) => name !== '');
  while (spelled.length > 0 && spelled.at(-1) === names.at(-1)) {
    spelled.pop();
    names.pop();
  }
  return spelled.length > 1 || (spelled.length === 1 && path.split(/[\\/]/).length <= 2);
}

/** Finds out whether a root is too broad or sensitive, by its real path. */
export function judgeRoot(
  { root, index, real }: SeenRoot,
  inspection: InspectionContext,
): readonly RootFinding[] {
  const { around, places } = inspection;
  const { platform } = around;
  const where = real === root.path ? undefined : real;
  const find = (code: RootIssueCode, details: IssueDetails): RootFinding =>
    createRootFinding(createRootIssue(code, root.uri, details), index, where);
  const sensitive = findSensitive(real, places, platform);
  if (sensitive !== undefined) return [find('sensitive', { state: sensitive.what })];
  const findings: RootFinding[] = [];
  const danger = findDanger(real, around) ?? findDanger(root.path, around);
  if (danger !== undefined) findings.push(find('too-broad', { state: danger.reason }));
  const within = sensitiveWithin(real, places, platform);
  const [own, others] = [within.filter(({ isOwn }) => isOwn), within.filter(({ isOwn }) => !isOwn)];
  const separator = separatorOf(platform);
  // A server with access there could grant itself everything else.
  if (own.length > 0)
    findings.push(
      find('sensitive', { state: `Rootward decides by what is in it: ${nameParts(real, own, separator)}` }),
    );
  if (others.length > 0)
    findings.push(
      find('holds-sensitive', {
        state: `it holds what is not for sharing: ${nameParts(real, others, separator)}`,
      }),
    );
  return findings;
}

function nameParts(real: string, within: readonly LocatedSensitive[], separator: string): string {
  const shown = within.slice(0, 3).map((place) => place.real.slice(real.length).replace(separator, ''));
  const more = within.length > shown.length ? ` and ${within.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** A root after a look at the disk. */
export interface SeenRoot {
  readonly index: number;
  readonly root: Root;
  /** The real path, with links resolved as far as they are known. */
  readonly real: string;
  /** Set if it exists. */
  readonly look?: PlaceLook;
}

/** Finds roots that are the same place as an earlier one, and roots inside another one. */
export function compareRoots(seen: readonly SeenRoot[], platform: Platform): readonly RootFinding[] {
  const first = new Map<string, SeenRoot>();
  const findings: RootFinding[] = [];
  for (const one of seen) {
    // Two paths without links may be the same directory: mounted twice, or spelled in another case.
    const keys = [`path ${one.real}`, ...(one.look === undefined ? [] : [`place ${one.look.identity}`])];
    const other = keys.map((key) => first.get(key)).find((found) => found !== undefined);
    for (const key of keys) if (!first.has(key)) first.set(key, one);
    if (other !== undefined)
      findings.push(overlapFinding('duplicate', one, `it is the same place as ${quote(other.root.name)}`));
  }
  return [...findings, ...findNested([...new Set(first.values())], platform)];
}

function findNested(roots: readonly SeenRoot[], platform: Platform): readonly RootFinding[] {
  const index = createRootIndex(
    roots.map((one) => [one.real, one] as const),
    { platform },
  );
  return roots.flatMap((one) => {
    const outer = index.place(dirname(one.real))?.root;
    if (outer === undefined || outer === one) return [];
    return [overlapFinding('nested', one, `it lies in ${quote(outer.root.name)}`)];
  });
}

function overlapFinding(code: 'duplicate' | 'nested', { root, index }: SeenRoot, state: string): RootFinding {
  return createRootFinding(createRootIssue(code, root.uri, { state }), index);
}
