import { posix, sep } from 'node:path';
import type { DiskChange } from '../boundary/step/context.ts';
import { RootwardError } from '../errors.ts';
import type { AccessRequest } from '../policy/decide.ts';
import type { Decision } from '../policy/decision.ts';
import { AnswerPending } from '../policy/settle.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { AuditChange, AuditEntry } from './entry.ts';

/** What one access came to. */
export interface FinishedAccess {
  readonly request: AccessRequest;
  readonly location: Location | undefined;
  readonly decision: Decision;
  readonly ended: ActEnd<unknown>;
  /** The changes that the boundary made. */
  readonly account: Pick<EffectLog, 'place' | 'changes'>;
  /** `performance.now()` when it began. */
  readonly started: number;
}

/** The entry of an access. A rule that only the way to the file brought up is the one that decided. */
export function createEntry(
  { workspace, caller }: { readonly workspace: Workspace; readonly caller?: string },
  { request, location, decision, ended, account, started }: FinishedAccess,
): AuditEntry {
  const error = 'error' in ended ? ended.error : undefined;
  const { verdict, rule, reason } = decidedBy(error, decision);
  const { tool, detail } = request;
  const { changes } = account;
  return {
    time: new Date().toISOString(),
    ...(caller !== undefined && { caller }),
    ...(tool !== undefined && { tool }),
    operation: request.operation,
    path: request.path,
    ...(detail !== undefined && { detail }),
    ...rootOf(location, error),
    ...placeIn(location, account),
    verdict,
    rule,
    reason,
    outcome: outcomeOf(ended, changes.length > 0 ? 'allow' : verdict),
    ...(changes.length > 0 && { changed: changes }),
    ...(error !== undefined && { code: RootwardError.is(error) ? error.code : 'INTERNAL' }),
    duration: performance.now() - started,
    revision: workspace.revision,
  };
}

/** The root whose rule refused it, where that is another one than the path says. */
function rootOf(location: Location | undefined, error: unknown): { readonly root?: string } {
  if (RootwardError.is(error, 'DENIED')) return { root: error.data.root };
  return location === undefined ? {} : { root: location.root.name };
}

/** Where a link led. What was reached by its own name needs no second one. */
function placeIn(
  location: Location | undefined,
  { place }: FinishedAccess['account'],
): { readonly place?: string } | undefined {
  if (location === undefined || place === undefined || place === location.relative) return undefined;
  if (location.boundary.kind === 'file') return undefined;
  const asked = posix.normalize(location.relative.replaceAll(sep, '/')).replace(/\/$/, '');
  return asked === place ? undefined : { place };
}

function decidedBy(error: unknown, decision: Decision): Decision {
  if (RootwardError.is(error, 'DENIED')) {
    const { rule, reason } = error.data;
    return { verdict: 'deny', rule, reason };
  }
  if (!RootwardError.is(error, 'OUTSIDE_ROOTS')) return decision;
  return { verdict: 'deny', rule: 'outside-roots', reason: 'it leads out of the roots' };
}

/** A change that was made is reported, even if a later step was refused. */
function outcomeOf(ended: ActEnd<unknown>, verdict: Decision['verdict']): AuditEntry['outcome'] {
  if ('result' in ended) return 'done';
  return verdict === 'allow' ? 'failed' : 'refused';
}

/** How an act ended: nothing is thrown until it was written down. */
export type ActEnd<Result> = { readonly result: Result } | { readonly error: unknown };

/** An act that waits for the answer of a person has not ended, unless it has changed something already. */
export async function attempt<Result>(
  act: () => Result | Promise<Result>,
  account: Pick<EffectLog, 'changes'> = { changes: [] },
): Promise<ActEnd<Result>> {
  try {
    return { result: await act() };
  } catch (error) {
    if (error instanceof AnswerPending && account.changes.length === 0) throw error;
    return { error };
  }
}

/** The effect of one act on the disk, as the boundary reported it while it happened. */
export class EffectLog {
  /** Where the path really led; absent if nothing was reached. */
  place: string | undefined;
  #changes: Map<string, AuditChange> | undefined;

  /** In the order in which they began; the same change at one place is counted. */
  get changes(): readonly AuditChange[] {
    return this.#changes === undefined ? none : [...this.#changes.values()];
  }

  reached(relative: string): void {
    this.place = shown(relative);
  }

  changed({ kind, relative, count = 1 }: DiskChange): void {
    const changes = (this.#changes ??= new Map());
    const isNamed = changes.size < mostPlaces || changes.has(`${kind} ${relative}`);
    const place = isNamed ? shown(relative) : elsewhere;
    const key = `${kind} ${isNamed ? relative : elsewhere}`;
    changes.set(key, { kind, place, count: (changes.get(key)?.count ?? 0) + count });
  }
}

const none: readonly AuditChange[] = [];

function shown(relative: string): string {
  return relative === '' ? '.' : relative;
}

/** Places that are named; what happens at others is only counted, by its kind. */
const mostPlaces = 8;
const elsewhere = '…';
