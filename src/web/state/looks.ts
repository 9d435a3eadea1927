import { basename } from 'node:path';
import type { Candidate } from '../../client/discover/candidate.ts';
import { discover } from '../../client/discover/discover.ts';
import { findRootIssues } from '../../client/discover/find-root-issues.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri, parseFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { AuditFilter, CandidateView, FindingView, LookView } from '../wire/wire.ts';
import type { PageCeiling } from './ceiling.ts';
import type { PageState } from './page-state.ts';

/** A request that reads and changes nothing. */
export type PageLook = (pageState: PageState, query: URLSearchParams) => unknown;

/** The requests by URL path. */
export const looks: Readonly<Record<string, PageLook>> = {
  '/api/about': ({ about }) => about,
  '/api/roots': ({ roots }) => roots.view(),
  '/api/running': (pageState) => pageState.running(),
  '/api/browse': ({ ceiling, store }, query) =>
    ceiling.browse(query.get('path') ?? ceiling.tops[0]?.path ?? '', store),
  '/api/candidates': (pageState) => findCandidates(pageState),
  '/api/look': (pageState, query) => lookAtPath(pageState, query.get('path') ?? ''),
  '/api/audit': ({ audit }, query) =>
    audit.page(readFilter(query), countIn(query, 'offset', 0), Math.min(500, countIn(query, 'limit', 100))),
  '/api/audit/plot': ({ audit }, query) =>
    audit.plot(readFilter(query), Math.min(240, Math.max(1, countIn(query, 'spans', 60)))),
  '/api/audit/names': ({ audit }) => audit.names(),
};

const filterKeys = ['caller', 'root', 'operation', 'verdict', 'text'] as const;

export function readFilter(query: URLSearchParams): AuditFilter {
  const filters = filterKeys.flatMap((key) => {
    const value = query.get(key);
    return value === null || value === '' ? [] : [[key, value] as const];
  });
  const upto = query.get('upto');
  return { ...Object.fromEntries(filters), ...(upto === null ? {} : { upto: countIn(query, 'upto', 0) }) };
}

function countIn(query: URLSearchParams, key: string, otherwise: number): number {
  const count = Number(query.get(key) ?? otherwise);
  return Number.isSafeInteger(count) && count >= 0 ? count : otherwise;
}

/** Milliseconds to wait for proposals. */
const patience = 4_000;
const mostCandidates = 60;

async function findCandidates({ ceiling, store }: PageState): Promise<readonly CandidateView[]> {
  const found = new Map<string, CandidateView>();
  const options = { milliseconds: patience / Math.max(1, ceiling.tops.length), candidates: 200, depth: 4 };
  for (const { path } of ceiling.tops) {
    const search = discover(path, { ...options, ...(ceiling.bounded ? { recent: false as const } : {}) });
    for (const candidate of await collect(search)) found.set(candidate.root.path, describe(candidate));
  }
  return [...found.values()]
    .filter(({ path }) => store.get(path)?.path !== path)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostCandidates);
}

/** Proposes nothing for a top that is too broad; its folders can still be picked. */
async function collect(search: AsyncIterable<Candidate>): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  try {
    for await (const candidate of search) candidates.push(candidate);
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
  }
  return candidates;
}

function describe({ root, kind, score, reasons }: Candidate): CandidateView {
  const badges = reasons.filter(({ points }) => points > 0).map(({ text, detail }) => detail ?? text);
  return { name: root.name, path: root.path, kind, score, badges };
}

/** The findings for a path before it becomes a root. Nothing outside the ceiling is looked at. */
async function lookAtPath({ ceiling, store }: PageState, typed: string): Promise<LookView> {
  const path = readTypedPath(typed);
  const name = basename(path) || path;
  const outside = await refusalOutside(ceiling, path);
  if (outside !== undefined) return { path, name, findings: [outside] };
  const findings: FindingView[] = (await findRootIssues(path))
    .filter(({ severity }) => severity !== 'note')
    .map(({ code, severity, message, hint }) => ({ code, severity, message, hint }));
  const known = store.get(path);
  if (known?.path === path) {
    const message = `Cannot add "${known.name}": it is a root already`;
    findings.push({ code: 'known', severity: 'error', message, hint: 'Change its permissions instead' });
  }
  return { path, name, findings };
}

/** Uses the same words whether the place exists or not. */
async function refusalOutside(ceiling: PageCeiling, path: string): Promise<FindingView | undefined> {
  try {
    await ceiling.requireInside(path);
    return undefined;
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    // The path lies inside, so it may be reported as missing.
    if (RootwardError.is(error, 'NOT_FOUND')) return undefined;
    const { code, message } = error;
    const hint = 'Start rootward web with a directory that holds it';
    return { code, severity: 'error', message, hint };
  }
}

/**
 * Reads a typed or dropped path: absolute, below home, or a file URI.
 *
 * @throws {RootwardError} `INVALID_URI`
 */
export function readTypedPath(typed: string): string {
  const text = typed.trim();
  return isFileUri(text) ? parseFileUri(text) : expandHome(text);
}
