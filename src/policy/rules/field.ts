import { isObject, isPlainObject } from '../../base/fields.ts';
import { RootwardError } from '../../errors.ts';
import { quote } from '../../base/quote.ts';

/** An untrusted value in a config, and its position there: `roots["app"].allow[0]`. */
export interface Field {
  readonly value: unknown;
  /** Empty at the top level. */
  readonly where: string;
}

/** Parses an object and refuses unknown keys. Ignores fields that are `undefined`. */
export function parseObject<Key extends string>(
  field: Field,
  keys: readonly Key[],
): { readonly [Name in Key]?: Field } {
  const entries = objectEntries(field).map(([key, value]) => {
    const where = memberOf(field.where, key);
    if (!keys.some((known) => known === key)) {
      throw invalid({ where }, `it is unknown; ${listOf('keys', keys)}`);
    }
    return [key, { value, where }] as const;
  });
  return Object.fromEntries(entries) as { readonly [Name in Key]?: Field };
}

/** Parses an object whose keys are free names. */
export function parseNamed(field: Field): readonly (readonly [name: string, field: Field])[] {
  return objectEntries(field).map(([name, value]) => {
    const where = `${field.where}[${quote(name)}]`;
    if (name === '') throw invalid({ where }, 'a name cannot be empty');
    return [name, { value, where }];
  });
}

/** Parses a list. */
export function parseList(field: Field): readonly Field[] {
  const { value, where } = field;
  if (!Array.isArray(value)) throw wrongKind(field, 'a list');
  if (value.length > mostEntries) throw invalid(field, `it has more than ${mostEntries} entries`);
  return Array.from(value, (entry: unknown, index) => ({ value: entry, where: `${where}[${index}]` }));
}

/** Far more than a person writes. */
const mostEntries = 1_000;

/** Parses a text without control characters, because it is printed unescaped. */
export function parseText(field: Field): string {
  const { value } = field;
  if (typeof value !== 'string') throw wrongKind(field, 'text');
  if (value === '') throw invalid(field, 'it is empty');
  if (value.length > longestText) throw invalid(field, `it is longer than ${longestText} characters`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]|\p{Surrogate}/u.test(value)) {
    throw invalid(field, 'it contains a control character or half of one');
  }
  return value;
}

const longestText = 1_024;

export function parseBoolean(field: Field): boolean {
  if (typeof field.value !== 'boolean') throw wrongKind(field, 'true or false');
  return field.value;
}

/** Parses one of a closed set of words; `what` is their name in the plural, for the message. */
export function parseWord<Word extends string>(field: Field, words: readonly Word[], what: string): Word {
  const word = words.find((known) => known === field.value);
  if (word !== undefined) return word;
  const given = typeof field.value === 'string' ? quote(field.value) : kindOf(field.value);
  throw invalid(field, `it is ${given}; ${listOf(what, words)}`);
}

export function invalid({ where }: Pick<Field, 'where'>, reason: string): RootwardError<'INVALID_POLICY'> {
  return new RootwardError('INVALID_POLICY', { where: where === '' ? 'at the top' : where, reason });
}

function wrongKind(field: Field, wanted: string): RootwardError<'INVALID_POLICY'> {
  return invalid(field, `it is ${kindOf(field.value)}, not ${wanted}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}

function listOf(what: string, words: readonly string[]): string {
  return `${what} are: ${words.join(', ')}`;
}

function objectEntries(field: Field): readonly (readonly [string, unknown])[] {
  if (!isPlainObject(field.value)) throw wrongKind(field, 'an object of keys and values');
  return Object.entries(field.value).filter(([, value]) => value !== undefined);
}

function memberOf(where: string, key: string): string {
  if (!/^[A-Za-z]\w{0,63}$/.test(key)) return `${where}[${quote(key)}]`;
  return where === '' ? key : `${where}.${key}`;
}
