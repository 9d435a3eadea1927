import { isObject } from '../../base/fields.ts';
import { RootwardError } from '../../errors.ts';
import { allSources, type SourceName, sourceNames } from '../sources/all-sources.ts';
import { matchKinds, type Profile } from '../sources/profile.ts';

/**
 * Reads rows that a user adds. Strict: a key or a value that is not understood refuses them all, and says
 * where. A row can lower trust and add sources; what a client declared in its connection always counts more.
 *
 * @throws {RootwardError} `INVALID_PROFILE`
 * @example
 * ```ts
 * const row = { id: 'mine', match: [['exact', 'my-client']], remedy: 'open a folder' };
 * parseProfiles([row])[0].id // → 'mine'
 * parseProfiles([{ ...row, mach: [] }]) // throws INVALID_PROFILE
 * ```
 */
export function parseProfiles(input: unknown): readonly Profile[] {
  if (!Array.isArray(input)) throw invalid('', 'a list of profiles is expected');
  return input.map((row, index) => parseRow(row, `[${index}]`));
}

function invalid(where: string, reason: string): RootwardError<'INVALID_PROFILE'> {
  return new RootwardError('INVALID_PROFILE', { where: where === '' ? 'the whole' : where, reason });
}

type Check = (value: unknown, where: string) => void;

const checks: { readonly [Key in keyof Required<Profile>]: Check } = {
  id: isText,
  title: isText,
  asOf: isText,
  match: listOf(isRule),
  order: isOrder,
  cwd: oneOf('never'),
  environment: listOf(
    shape(
      { name: isText, kind: oneOf('directory', 'list'), trust: oneOf('certain', 'likely', 'weak') },
      { when: shape({ name: isText, value: isText }) },
    ),
  ),
  meta: listOf(shape({ path: listOf(isText), kind: oneOf('path', 'uri', 'keys') })),
  quirks: listOf(isText),
  remedy: isText,
  evidence: listOf(isText),
};

function parseRow(row: unknown, where: string): Profile {
  const { id, match, remedy, ...others } = checks;
  shape({ id, match, remedy }, others)(row, where);
  const { title, asOf, ...rest } = row as Profile;
  return { ...rest, title: title ?? rest.id, asOf: asOf ?? 'added by hand' };
}

function shape(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value, where) => {
    if (!isObject(value)) throw invalid(where, 'an object is expected');
    const known = { ...optional, ...required };
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(known, key))
        throw invalid(`${where}.${key}`, `unknown; there are ${Object.keys(known).join(', ')}`);
    }
    for (const [key, check] of Object.entries(known)) {
      const field: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      if (field === undefined && !Object.hasOwn(required, key)) continue;
      check(field, `${where}.${key}`);
    }
  };
}

function listOf(check: Check): Check {
  return (value, where) => {
    if (!Array.isArray(value)) throw invalid(where, 'a list is expected');
    for (const [index, item] of value.entries()) check(item, `${where}[${index}]`);
  };
}

function oneOf(...values: readonly string[]): Check {
  return (value, where) => {
    if (typeof value !== 'string' || !values.includes(value))
      throw invalid(where, `one of ${values.join(', ')} is expected`);
  };
}

function isText(value: unknown, where: string): void {
  if (typeof value !== 'string' || value === '') throw invalid(where, 'a string is expected');
}

function isRule(value: unknown, where: string): void {
  if (!Array.isArray(value) || value.length !== 2)
    throw invalid(where, 'a pair such as ["exact", "name"] is expected');
  oneOf(...matchKinds)(value[0], `${where}[0]`);
  isText(value[1], `${where}[1]`);
  if (value[0] === 'regex') isPattern(String(value[1]), `${where}[1]`);
}

function isOrder(value: unknown, where: string): void {
  listOf(oneOf(...sourceNames))(value, where);
  const fault = findOrderFault(value as readonly SourceName[]);
  if (fault !== undefined) throw invalid(`${where}${fault.at}`, fault.reason);
}

function isPattern(text: string, where: string): void {
  try {
    new RegExp(text, 'u').test('');
  } catch {
    throw invalid(where, 'a regular expression is expected');
  }
}

export interface OrderFault {
  /** Which entry, such as `[1]`; empty for the list itself. */
  readonly at: string;
  readonly reason: string;
}

/**
 * Why a list of sources is no order for a client; `undefined` if it is one. What somebody said on purpose keeps
 * its place in the chain, so a list that says otherwise would promise what never happens.
 */
export function findOrderFault(order: readonly SourceName[]): OrderFault | undefined {
  if (order.length === 0) return { at: '', reason: 'at least one source is expected' };
  for (const [index, name] of order.entries()) {
    const before = order.slice(0, index);
    const reason = before.includes(name) ? `${name} is expected once` : findPromotion(name, before);
    if (reason !== undefined) return { at: `[${index}]`, reason };
  }
  return undefined;
}

function findPromotion(name: SourceName, before: readonly SourceName[]): string | undefined {
  if (!allSources[name].explicit) return undefined;
  const later = before.find((other) => sourceNames.indexOf(other) > sourceNames.indexOf(name));
  return later && `${name} is expected before ${later}: what somebody said on purpose keeps its place`;
}
