import { type Fields, fieldsOf, isFields } from '../base/fields.ts';
import { escapeJson } from '../base/quote.ts';
import { type ChangeKind, changeKinds } from '../boundary/step/context.ts';
import { type Operation, operations } from '../boundary/step/operation.ts';
import type { LineChange } from '../boundary/write/compare-lines.ts';
import type { Decision } from '../policy/decision.ts';

/** One audit record: the request, the decision and its rule, and the outcome. */
export interface AuditEntry {
  /** The end of the operation: ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  /** The name of the client that asked, or of a program of ours. */
  readonly caller?: string;
  /** The client with its version, as it introduced itself. */
  readonly client?: string;
  /**
   * Tells the connections of one client apart. Made from the id of an HTTP session, which it does not reveal; absent
   * where requests belong to no session.
   */
  readonly session?: string;
  /** The tool that asked, if any. */
  readonly tool?: string;
  /** The kind of event, if the entry is not about an operation on a file. */
  readonly event?: AuditEvent;
  readonly operation: Operation;
  /** The path as asked. */
  readonly path: string;
  /** Details beyond operation and path: the command line, the other path of a move, how much was written. */
  readonly detail?: string;
  /** The name of the root that holds the path; absent if none does. */
  readonly root?: string;
  /** The real path from that root, after all links; absent if nothing was reached. */
  readonly place?: string;
  /** The number of bytes that were read or, where the operation is `write`, written. */
  readonly bytes?: number;
  readonly verdict: Decision['verdict'];
  readonly rule: string;
  readonly reason?: string;
  readonly outcome: Outcome;
  /** Changes to the disk, even where the outcome is not `done`; absent if there were none. */
  readonly changed?: readonly AuditChange[];
  /** Code of the error, if the outcome is `refused` or `failed`. */
  readonly code?: string;
  /** Milliseconds, to the microsecond. */
  readonly duration: number;
  /** Revision of the workspace in which the decision was made. */
  readonly revision: number | string;
  /** A text in this entry was too long and lost its middle. */
  readonly shortened?: true;
}

/** A change at one place. */
export interface AuditChange {
  readonly kind: ChangeKind;
  /** Real names from the root of the entry; `…` for all places beyond the first few. */
  readonly place: string;
  /** Number of times, or number of entries of a tree. */
  readonly count: number;
  /**
   * Lines added and removed by writing. Absent if the old or new content is not text, too large to compare, or
   * may not be read.
   */
  readonly lines?: LineChange;
}

const events = ['exposure', 'refusal', 'withdrawal', 'grant', 'change', 'look', 'call'] as const;

/**
 * `look`: a check whether an operation would be allowed. `call`: a call that the gateway passed on or refused; its
 * operation is `execute`, because the server may do anything. The others are about roots. `exposure`: a root was
 * shown to a server. `refusal`: it was not. `withdrawal`: it is no longer shown. `grant`: a person answered.
 * `change`: the stored roots changed.
 */
export type AuditEvent = (typeof events)[number];

const outcomes = ['done', 'refused', 'failed', 'cancelled'] as const;

/**
 * `refused`: nothing was done. `failed`: an error was returned. `cancelled`: the client took its request back. Changes
 * made before the end are in `changed`.
 */
export type Outcome = (typeof outcomes)[number];

/** Upper limit in bytes of a line that this module formats, including its line break. */
export const longestLine: number = 96 * 1024;

/** The beginning of every line. Cannot occur within a text, whose quotes are escaped. */
export const lineStart = '{"time":"';

/** Characters kept of each text. A character takes at most 6 bytes, so a line is bounded too. */
const limits = [
  ['caller', 256],
  ['client', 256],
  ['session', 64],
  ['tool', 128],
  ['path', 4_096],
  ['detail', 4_096],
  ['root', 256],
  ['place', 1_024],
  ['rule', 512],
  ['reason', 1_024],
  ['code', 64],
  ['revision', 128],
] as const satisfies readonly (readonly [keyof AuditEntry, number])[];

/** Characters kept of the place of a change. Entries have few of them. */
const longestPlace = 256;

/**
 * Formats an entry as one line of JSON, without the line break. Whatever the texts contain, the result is one
 * line of well-formed UTF-8 of at most 96 KiB: a text that is too long loses its middle, and the entry is
 * marked `shortened`.
 *
 * @example
 * ```ts
 * const entry = {
 *   time: '2025-06-01T12:00:00.000Z', operation: 'read', path: 'a\nb', root: 'app', verdict: 'allow',
 *   rule: 'allow:read', outcome: 'done', duration: 0.25, revision: 1,
 * };
 * formatEntry(entry).slice(0, 65) // → '{"time":"2025-06-01T12:00:00.000Z","operation":"read","path":"a\\n'
 * parseEntry(formatEntry(entry)).path // → 'a\nb'
 * parseEntry(formatEntry({ ...entry, path: 'x'.repeat(10_000) })).shortened // → true
 * ```
 */
export function formatEntry(entry: AuditEntry): string {
  return escapeJson(JSON.stringify(inOrder(isTooLong(entry) ? shorten(entry) : entry)));
}

/** Fixes the order of fields, so that every line begins alike. `JSON.stringify` omits undefined fields. */
function inOrder(entry: AuditEntry): Fields {
  const duration = Math.round(entry.duration * 1_000) / 1_000;
  const value = (field: keyof AuditEntry): unknown => (field === 'duration' ? duration : entry[field]);
  return Object.fromEntries(fieldNames.map((field) => [field, value(field)]));
}

function isTooLong(entry: AuditEntry): boolean {
  const isLong = limits.some(([field, most]) => {
    const text = entry[field];
    return typeof text === 'string' && text.length > most;
  });
  return isLong || (entry.changed?.some(({ place }) => place.length > longestPlace) ?? false);
}

function shorten(entry: AuditEntry): AuditEntry {
  const kept = limits.map(([field, most]) => [field, keepEnds(entry[field], most)]);
  const changed = entry.changed?.map((change) => ({
    ...change,
    place: keepEnds(change.place, longestPlace),
  }));
  return { ...entry, ...Object.fromEntries(kept), ...(changed && { changed }), shortened: true };
}

/** The same change under another name of its place. */
export function changeAt(change: AuditChange, place: string): AuditChange {
  return { ...change, place };
}

function keepEnds<Text>(text: Text, most: number): Text | string {
  if (typeof text !== 'string' || text.length <= most) return text;
  return `${text.slice(0, most / 2 - 1)}…${text.slice(-most / 2)}`;
}

/**
 * Parses a line into an entry. Returns `undefined` for a line that is torn or is not an audit entry. Drops
 * unknown fields, which a later version may have added.
 *
 * @example
 * ```ts
 * parseEntry('{"time":"2025-06-01T12:00:00.000Z","oper') // → undefined
 * parseEntry('{"level":30,"msg":"hello"}') // → undefined
 * ```
 */
export function parseEntry(line: string): AuditEntry | undefined {
  const value = parseJson(line);
  if (!isFields(value)) return undefined;
  const fields = new Map(Object.entries(value));
  if (!shape.every(([field, accepts]) => accepts(fields.get(field)))) return undefined;
  const known = shape.filter(([field]) => fields.has(field)).map(([field]) => [field, fields.get(field)]);
  return Object.fromEntries(known) as AuditEntry;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type FieldTest = (value: unknown) => boolean;

const isText: FieldTest = (value) => typeof value === 'string';
const isNumber: FieldTest = (value) => typeof value === 'number' && Number.isFinite(value);
const isTime: FieldTest = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

function oneOf(...values: readonly unknown[]): FieldTest {
  return (value) => values.includes(value);
}

function optional(accepts: FieldTest): FieldTest {
  return (value) => value === undefined || accepts(value);
}

const areChanges: FieldTest = (value) => Array.isArray(value) && value.every(isChange);

function isChange(value: unknown): boolean {
  const { kind, place, count, lines } = fieldsOf(value);
  return oneOf(...changeKinds)(kind) && isText(place) && isNumber(count) && optional(areLines)(lines);
}

function areLines(value: unknown): boolean {
  const { added, removed } = fieldsOf(value);
  return isNumber(added) && isNumber(removed);
}

/** In the order in which a line has them. */
const accepted: { readonly [Field in keyof Required<AuditEntry>]: FieldTest } = {
  time: isTime,
  caller: optional(isText),
  client: optional(isText),
  session: optional(isText),
  tool: optional(isText),
  event: optional(oneOf(...events)),
  operation: oneOf(...operations),
  path: isText,
  detail: optional(isText),
  root: optional(isText),
  place: optional(isText),
  bytes: optional(isNumber),
  verdict: oneOf('allow', 'deny', 'ask'),
  rule: isText,
  reason: optional(isText),
  outcome: oneOf(...outcomes),
  changed: optional(areChanges),
  code: optional(isText),
  duration: isNumber,
  revision: (value) => isText(value) || isNumber(value),
  shortened: optional(oneOf(true)),
};

const shape = Object.entries(accepted);
const fieldNames = Object.keys(accepted) as readonly (keyof AuditEntry)[];
