import * as z from 'zod/mini';
import {
  listOf,
  objectOf,
  placeText,
  problem,
  readValue,
  someText,
  type ValueFault,
} from '../../base/read-value.ts';
import { RootwardError } from '../../errors.ts';
import { allSources, type SourceName, sourceNames } from '../sources/all-sources.ts';
import { matchKinds, type Profile } from '../sources/profile.ts';

/**
 * Parses client profiles that a user adds. Strict: an unknown key or value refuses them all, and the error
 * names its position. A row can lower trust and add sources; statements of a client in its connection always
 * take precedence.
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
  const read = readValue(profilesSchema, input);
  if ('value' in read) return read.value;
  const { path, reason } = read.fault;
  throw new RootwardError('INVALID_PROFILE', { where: placeText(path), reason });
}

const nameRule = z
  .tuple([z.enum(matchKinds), someText], { error: 'it is not a pair such as ["exact", "name"]' })
  .check(({ value: [kind, text], issues }) => {
    if (kind === 'regex' && !isPattern(text)) issues.push(problem('it is not a regular expression', [1]));
  });

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u').test('');
    return true;
  } catch {
    return false;
  }
}

const order = listOf(z.enum(sourceNames)).check(({ value, issues }) => {
  const fault = findOrderFault(value);
  if (fault !== undefined) issues.push(problem(fault.reason, fault.path));
});

const variable = objectOf({
  name: someText,
  kind: z.enum(['directory', 'list']),
  trust: z.enum(['certain', 'likely', 'weak']),
  when: z.exactOptional(objectOf({ name: someText, value: someText })),
});

const profile = objectOf({
  id: someText,
  title: z.exactOptional(someText),
  asOf: z.exactOptional(someText),
  match: listOf(nameRule),
  order: z.exactOptional(order),
  cwd: z.exactOptional(z.enum(['never'])),
  environment: z.exactOptional(listOf(variable)),
  meta: z.exactOptional(listOf(objectOf({ path: listOf(someText), kind: z.enum(['path', 'uri', 'keys']) }))),
  maxAnswer: z.exactOptional(z.int().check(z.positive())),
  quirks: z.exactOptional(listOf(someText)),
  remedy: someText,
  evidence: z.exactOptional(listOf(someText)),
});

/** Rows as a user writes them, completed to profiles. */
export const profilesSchema: z.ZodMiniType<readonly Profile[]> = z.pipe(
  listOf(profile),
  z.transform((rows) => rows.map((row) => ({ title: row.id, asOf: 'added by hand', ...row }))),
);

/**
 * Returns why a list of sources is not a valid order for a client, or `undefined` if it is. Explicit sources
 * keep their place in the chain, so a list that promises otherwise is refused.
 */
export function findOrderFault(order: readonly SourceName[]): ValueFault | undefined {
  if (order.length === 0) return { path: [], reason: 'at least one source is expected' };
  for (const [index, name] of order.entries()) {
    const before = order.slice(0, index);
    const reason = before.includes(name) ? `${name} is expected once` : findPromotion(name, before);
    if (reason !== undefined) return { path: [index], reason };
  }
  return undefined;
}

function findPromotion(name: SourceName, before: readonly SourceName[]): string | undefined {
  if (!allSources[name].explicit) return undefined;
  const later = before.find((other) => sourceNames.indexOf(other) > sourceNames.indexOf(name));
  return later && `${name} is expected before ${later}: explicit sources keep their place`;
}
