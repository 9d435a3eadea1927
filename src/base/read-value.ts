import * as z from 'zod/mini';
import { isObject, isPlainObject } from './fields.ts';
import { nearestName } from './nearest-name.ts';
import { quote } from './quote.ts';

/** Keys and indexes from the top to one value. */
export type JsonPath = readonly (string | number)[];

/** The first fault in a value, and its path. */
export interface ValueFault {
  readonly path: JsonPath;
  /** The found and the expected value; `it` is the value at `path`. */
  readonly reason: string;
}

/** Reads an untrusted value by a schema. All readers use this function, so that all faults use the same words. */
export function readValue<Output>(
  schema: z.ZodMiniType<Output>,
  value: unknown,
): { readonly value: Output } | { readonly fault: ValueFault } {
  // Most schemas are used once or twice per process, so compiling them (`jitless: false`) does not pay.
  const { success, data, error } = schema.safeParse(value, {
    error: toWords,
    reportInput: true,
    jitless: true,
  });
  return success ? { value: data } : { fault: faultIn(error.issues) };
}

/** `deny[0].glob`, `roots["my app"]`; `at the top` for the value itself. */
export function placeText(path: JsonPath): string {
  const text = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z]\w{0,63}$/.test(step) ? `.${step}` : `[${quote(step)}]`;
  });
  return text.join('').replace(/^\./, '') || 'at the top';
}

/**
 * An object with these keys. Refuses other keys, so that a misspelled one is not ignored. Drops keys whose value is
 * `undefined`. Unlike an object of Zod it refuses a `Map`, which would look empty.
 */
export function objectOf<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniType<z.output<z.ZodMiniObject<Shape>>> {
  const known = Object.keys(shape);
  const strict = z.transform((value: unknown, { issues }) => {
    const entries = entriesOf(value, issues);
    const unknown = entries.find(([key]) => !known.includes(key))?.[0];
    if (unknown !== undefined) issues.push(problem(unknownKey(unknown, known), [unknown]));
    return Object.fromEntries(entries);
  });
  return z.pipe(strict, z.object(shape));
}

/** An object with arbitrary names as keys. Unlike a record of Zod it keeps a key `__proto__`. */
export function namedOf<Value>(schema: z.ZodMiniType<Value>): z.ZodMiniType<Readonly<Record<string, Value>>> {
  const named = z.transform((value: unknown, { issues }) => {
    const entries = entriesOf(value, issues);
    if (entries.some(([name]) => name === '')) issues.push(problem('a name cannot be empty', ['']));
    return new Map(entries);
  });
  const toRecord = z.transform((read: Map<string, Value>) => Object.fromEntries(read));
  return z.pipe(z.pipe(named, z.map(z.string(), schema)), toRecord);
}

/** A list. Zod collects the faults of all entries, so the length is checked first. */
export function listOf<Item>(schema: z.ZodMiniType<Item>): z.ZodMiniType<Item[]> {
  return z.pipe(z.array(z.unknown()).check(z.maxLength(mostEntries)), z.array(schema));
}

/** Far more than a person writes. */
const mostEntries = 1_000;

/** A text that is not empty. */
export const someText: z.ZodMiniType<string> = z.string().check(z.minLength(1));

/** A text without control characters, because it is printed unescaped. */
export const lineOfText: z.ZodMiniType<string> = z.string().check(
  z.minLength(1),
  z.maxLength(1_024),
  z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]|\p{Surrogate}/u.test(text), {
    error: 'it contains a control character or half of one',
  }),
);

/** A fault found by a check of a schema, at a path below the checked value. */
export function problem(message: string, path: JsonPath = []): z.core.$ZodRawIssue {
  return { code: 'custom', message, path: [...path], input: null };
}

type Issues = z.core.$ZodRawIssue[];

function entriesOf(value: unknown, issues: Issues): readonly (readonly [string, unknown])[] {
  if (isPlainObject(value)) return Object.entries(value).filter(([, member]) => member !== undefined);
  issues.push({ code: 'invalid_type', expected: 'object', input: value });
  return [];
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  const meant = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
  return `it is unknown${meant}; keys are: ${known.join(', ')}`;
}

/** Words for the issues that Zod raises. A check of a schema has its own message. */
function toWords(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue;
  if (code === 'invalid_type') {
    return `it is ${kindOf(input)}, not ${kinds[issue.expected] ?? `an ${issue.expected}`}`;
  }
  if (code === 'invalid_value') {
    const found = typeof input === 'string' ? quote(input) : kindOf(input);
    return `it is ${found}; use one of: ${issue.values.join(', ')}`;
  }
  if (code === 'too_small') return 'it is empty';
  if (code !== 'too_big') return undefined;
  return issue.origin === 'array'
    ? `it has more than ${issue.maximum} entries`
    : `it is longer than ${issue.maximum} characters`;
}

/** Kinds of values as Zod calls them. */
const kinds: Readonly<Partial<Record<string, string>>> = {
  string: 'a string',
  array: 'a list',
  boolean: 'true or false',
  object: 'an object of keys and values',
};

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}

function faultIn(issues: readonly z.core.$ZodIssue[]): ValueFault {
  const [issue] = issues;
  if (issue === undefined) throw new Error('a value was refused for no reason');
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code === 'invalid_union') return within(path, faultIn(likeliest(issue.errors)));
  const key = path.at(-1);
  const isMissing = issue.input === undefined && typeof key === 'string';
  return isMissing
    ? { path: path.slice(0, -1), reason: `${quote(key)} is missing` }
    : { path, reason: issue.message };
}

function within(path: JsonPath, fault: ValueFault): ValueFault {
  return { ...fault, path: [...path, ...fault.path] };
}

/** Returns the branch of a union whose fault is not just a wrong type, or else the last branch. */
function likeliest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const further = branches.find(([issue]) => issue?.code !== 'invalid_type' || issue.path.length > 0);
  return further ?? branches.at(-1) ?? [];
}
