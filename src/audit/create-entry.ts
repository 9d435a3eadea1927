import type { DiskChange } from '../boundary/step/context.ts';
import type { Operation } from '../boundary/step/operation.ts';
import type { LineChange } from '../boundary/write/compare-lines.ts';
import { type ErrorCode, RootwardError } from '../errors.ts';
import type { AccessRequest } from '../policy/decide.ts';
import type { Decision } from '../policy/decision.ts';
import { AnswerPending } from '../policy/settle.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { AuditChange, AuditEntry } from './entry.ts';

/** The request, decision and outcome of one access. */
export interface FinishedAccess {
  readonly request: AccessRequest;
  readonly location: Location | undefined;
  readonly decision: Decision;
  readonly ended: ActEnd<unknown>;
  /** The effects that the boundary reported. */
  readonly account: Pick<EffectLog, 'place' | 'changes' | 'bytesOf'>;
  /** `performance.now()` at the beginning. */
  readonly started: number;
}

/** The workspace and client of an access. */
export interface RequestOrigin extends Pick<AuditEntry, 'caller' | 'client' | 'session'> {
  readonly workspace: Workspace;
  /** Aborted when the client takes its request back. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the audit entry of an access. If a rule or the boundary refused on the way to the file, the entry names that
 * refusal.
 */
export function createEntry(
  { workspace, caller, client, session, signal }: RequestOrigin,
  { request, location, decision, ended, account, started }: FinishedAccess,
): AuditEntry {
  const cancelled = 'error' in ended && isCancelled(ended.error, decision, signal);
  const failure = 'error' in ended && !cancelled ? failureOf(ended.error, decision) : undefined;
  const { verdict, rule, reason } = failure?.decision ?? decision;
  const root = failure?.root ?? location?.root.name;
  const { tool, detail } = request;
  const { changes } = account;
  const bytes = account.bytesOf(request.operation);
  return {
    time: new Date().toISOString(),
    ...(caller !== undefined && { caller }),
    ...(client !== undefined && { client }),
    ...(session !== undefined && { session }),
    ...(tool !== undefined && { tool }),
    operation: request.operation,
    path: request.path,
    ...(detail !== undefined && { detail }),
    ...(root !== undefined && { root }),
    ...placeIn(location, account),
    ...(bytes !== undefined && { bytes }),
    verdict,
    rule,
    reason,
    outcome: cancelled ? 'cancelled' : outcomeOf(ended, changes.length > 0 ? 'allow' : verdict),
    ...(changes.length > 0 && { changed: changes }),
    ...(failure && { code: failure.code }),
    duration: performance.now() - started,
    revision: workspace.revision,
  };
}

/** A refusal stays one, even if the client took the request back meanwhile; an open question does not. */
function isCancelled(error: unknown, { verdict }: Decision, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && (verdict === 'ask' || !RootwardError.is(error));
}

interface AccessFailure {
  readonly code: ErrorCode;
  readonly decision: Decision;
  /** The root whose rule refused, which may differ from the root of the path. */
  readonly root?: string;
}

function failureOf(error: unknown, decision: Decision): AccessFailure {
  if (!RootwardError.is(error)) return { code: 'INTERNAL', decision };
  const { code } = error;
  if (RootwardError.is(error, 'DENIED')) {
    const { rule, reason, root } = error.data;
    return { code, decision: { verdict: 'deny', rule, reason }, root };
  }
  const refused = boundaryRefusals[code];
  return { code, decision: refused === undefined ? decision : { verdict: 'deny', ...refused } };
}

/** Codes with which the boundary itself refuses what a rule has allowed. Other codes are failures. */
const boundaryRefusals: { readonly [Code in ErrorCode]?: Pick<Decision, 'rule' | 'reason'> } = {
  OUTSIDE_ROOTS: { rule: 'outside-roots', reason: 'it leads out of the roots' },
  IS_ROOT: { rule: 'boundary:root', reason: 'it is the root itself' },
  HOLDS_ROOT: { rule: 'boundary:inner-root', reason: 'it is another root, or holds one' },
  OTHER_MOUNT: { rule: 'boundary:mount', reason: 'it is on another mount' },
  HARD_LINK: { rule: 'boundary:hard-link', reason: 'it has more than one name' },
  SPECIAL_FILE: { rule: 'boundary:special-file', reason: 'it is neither a regular file nor a directory' },
  LINK_NOT_FOLLOWED: { rule: 'boundary:link', reason: 'the system would not follow a link on the way' },
  NOT_LISTED: { rule: 'boundary:name', reason: 'its directory does not list a name on the way' },
  TREE_TOO_LARGE: { rule: 'boundary:tree', reason: 'not everything in it can be checked' },
  CANNOT_CONFINE: { rule: 'boundary:confine', reason: 'the program cannot be confined' },
};

/** A file that is a root itself has no place in a root. */
function placeIn(
  location: Location | undefined,
  { place }: FinishedAccess['account'],
): { readonly place?: string } | undefined {
  if (location === undefined || place === undefined || location.boundary.kind === 'file') return undefined;
  return { place };
}

/** A change that was made is reported, even if a later step was refused. */
function outcomeOf(ended: ActEnd<unknown>, verdict: Decision['verdict']): AuditEntry['outcome'] {
  if ('result' in ended) return 'done';
  return verdict === 'allow' ? 'failed' : 'refused';
}

/** The result or error of an act. Errors are thrown only after the entry is written. */
export type ActEnd<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Runs an act and catches its error. An act that waits for a person's answer has not ended, so
 * `AnswerPending` is rethrown, unless the act has already changed something.
 */
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
  /** The real path, from the root on; absent if nothing was reached. */
  place: string | undefined;
  #read: number | undefined;
  #written: number | undefined;
  #changes: Map<string, AuditChange> | undefined;

  /** In order of first occurrence; repeated changes at one place are counted. */
  get changes(): readonly AuditChange[] {
    return this.#changes === undefined ? none : [...this.#changes.values()];
  }

  /** The bytes that were written or read; `undefined` if no file was. */
  bytesOf(operation: Operation): number | undefined {
    return operation === 'write' ? this.#written : this.#read;
  }

  read(bytes: number): void {
    this.#read = (this.#read ?? 0) + bytes;
  }

  reached(relative: string): void {
    this.place = shown(relative);
  }

  changed({ kind, relative, count = 1, bytes, lines }: DiskChange): void {
    if (bytes !== undefined) this.#written = (this.#written ?? 0) + bytes;
    const changes = (this.#changes ??= new Map());
    const isNamed = changes.size < mostPlaces || changes.has(`${kind} ${relative}`);
    const place = isNamed ? shown(relative) : elsewhere;
    const key = `${kind} ${isNamed ? relative : elsewhere}`;
    const before = changes.get(key);
    const sum = before === undefined ? lines : addLines(before.lines, lines);
    changes.set(key, { kind, place, count: (before?.count ?? 0) + count, ...(sum && { lines: sum }) });
  }
}

/** A sum is unknown if one of its parts is. */
function addLines(one: LineChange | undefined, other: LineChange | undefined): LineChange | undefined {
  if (one === undefined || other === undefined) return undefined;
  return { added: one.added + other.added, removed: one.removed + other.removed };
}

const none: readonly AuditChange[] = [];

function shown(relative: string): string {
  return relative === '' ? '.' : relative;
}

/** Places that are named individually; changes at other places are only counted, by kind. */
const mostPlaces = 8;
const elsewhere = '…';
