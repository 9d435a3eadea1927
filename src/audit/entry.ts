import { fieldsOf, isFields } from '../base/fields.ts';
import { type ChangeKind, changeKinds } from '../boundary/step/context.ts';
import { type Operation, operations } from '../boundary/step/operation.ts';
import type { Decision } from '../policy/decision.ts';

/** One line of what happened: what was asked, what was decided and by which rule, and how it ended. */
export interface AuditEntry {
  /** When it ended: ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  /** Who asked: the name of the client, its session. */
  readonly caller?: string;
  /** The tool that asked, where one did. */
  readonly tool?: string;
  /** The kind of event, if the entry is not about an operation on a file. */
  readonly event?: AuditEvent;
  readonly operation: Operation;
  /** As it was asked. */
  readonly path: string;
  /** Details beyond operation and path: the command line, the other place of a move, how much was written. */
  readonly detail?: string;
  /** The name of the root that holds the path; absent if none does. */
  readonly root?: string;
  /** Where the path really led, from that root, if that is another place than its text says. */
  readonly place?: string;
  readonly verdict: Decision['verdict'];
  readonly rule: string;
  readonly reason?: string;
  readonly outcome: Outcome;
  /** Changes to the disk, even where the outcome is not `done`; absent if there were none. */
  readonly changed?: readonly AuditChange[];
  /** Of the error, where the outcome is not `done`. */
  readonly code?: string;
  /** Milliseconds, to the microsecond. */
  readonly duration: number;
  /** Of the workspace that was decided in. */
  readonly revision: number | string;
  /** A text in this line was too long and lost its middle. */
  readonly shortened?: true;
}

/** Something that was done at one place. */
export interface AuditChange {
  readonly kind: ChangeKind;
  /** Real names from the root of the entry; `…` for all places beyond the first few. */
  readonly place: string;
  /** How often, or how many entries of a tree. */
  readonly count: number;
}

const events = ['exposure', 'refusal', 'withdrawal', 'grant', 'change', 'look'] as const;

/**
 * `look`: it was asked whether the operation would be allowed. The others happen to roots themselves. `exposure`:
 * a server was told of one. `refusal`: it was not. `withdrawal`: it is told no more. `grant`: a person answered.
 * `change`: what is stored changed.
 */
export type AuditEvent = (typeof events)[number];

/** `refused`: nothing was done. `failed`: an error came back; what was done before it is in `changed`. */
export type Outcome = 'done' | 'refused' | 'failed';

/** Bytes that no line of ours exceeds, its line break included. */
export const longestLine: number = 96 * 1024;

/** How every line begins; within a text its quotes would be escaped. */
export const lineStart = '{"time":"';

/** Characters of a text that are kept. Each takes 6 bytes at most, so a line is bounded too. */
const limits = [
  ['caller', 256],
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

/** Characters of the place of a change, of which there are few. */
const longestPlace = 256;

/** Invisible and bidirectional characters, which JSON leaves as they are: they would lie to a reader. */
const deceptive = /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g;

/**
 * An entry as one line of JSON, without the line break. Whatever the texts contain, the line stays one line,
 * is well-formed UTF-8 and at most 96 KiB long: an endless text loses its middle, and the line says so.
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
  const line = JSON.stringify(inOrder(isTooLong(entry) ? shorten(entry) : entry));
  return line.replace(
    deceptive,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Every line begins alike, whoever made the entry. JSON leaves out what is undefined. */
function inOrder(entry: AuditEntry): { readonly [Field in keyof AuditEntry]: AuditEntry[Field] | undefined } {
  const { time, caller, tool, event, operation, path, detail, root, place } = entry;
  const { verdict, rule, reason, outcome, changed, code, revision, shortened } = entry;
  const duration = Math.round(entry.duration * 1_000) / 1_000;
  return {
    time,
    caller,
    tool,
    event,
    operation,
    path,
    detail,
    root,
    place,
    verdict,
    rule,
    reason,
    outcome,
    changed,
    code,
    duration,
    revision,
    shortened,
  };
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
  const changed = entry.changed?.map(({ kind, place, count }) => ({
    kind,
    place: keepEnds(place, longestPlace),
    count,
  }));
  return { ...entry, ...Object.fromEntries(kept), ...(changed && { changed }), shortened: true };
}

function keepEnds<Text>(text: Text, most: number): Text | string {
  if (typeof text !== 'string' || text.length <= most) return text;
  return `${text.slice(0, most / 2 - 1)}…${text.slice(-most / 2)}`;
}

/**
 * The entry in a line; `undefined` for a line that is torn or was written by somebody else. Fields that a
 * later version may have added are left out.
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
  const { kind, place, count } = fieldsOf(value);
  return oneOf(...changeKinds)(kind) && isText(place) && isNumber(count);
}

const accepted: { readonly [Field in keyof Required<AuditEntry>]: FieldTest } = {
  time: isTime,
  caller: optional(isText),
  tool: optional(isText),
  event: optional(oneOf(...events)),
  operation: oneOf(...operations),
  path: isText,
  detail: optional(isText),
  root: optional(isText),
  place: optional(isText),
  verdict: oneOf('allow', 'deny', 'ask'),
  rule: isText,
  reason: optional(isText),
  outcome: oneOf('done', 'refused', 'failed'),
  changed: optional(areChanges),
  code: optional(isText),
  duration: isNumber,
  revision: (value) => isText(value) || isNumber(value),
  shortened: optional(oneOf(true)),
};

const shape = Object.entries(accepted);
