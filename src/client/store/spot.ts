import type { JsonPath } from '../../config/parse-jsonc.ts';

/** A value in the file, and the way to it. */
export interface Spot {
  readonly value: unknown;
  readonly path: JsonPath;
}

/** Something in the file that cannot be used. Becomes an error with line and column at the edge of the room. */
export class StoreFault extends Error {
  readonly path: JsonPath;
  readonly reason: string;

  constructor({ path }: Pick<Spot, 'path'>, reason: string) {
    super(reason);
    this.path = path;
    this.reason = reason;
  }
}

/** The members of an object, none of which may be unknown: what is misspelled must not be ignored. */
export function membersOf<Key extends string>(
  spot: Spot,
  keys: readonly Key[],
): { readonly [Name in Key]?: Spot } {
  for (const [key, member] of namedOf(spot)) {
    if (!keys.some((known) => known === key)) throw new StoreFault(member, `"${key}" is unknown here`);
  }
  return Object.fromEntries(namedOf(spot)) as { readonly [Name in Key]?: Spot };
}

/** The members of an object whose keys somebody chose. */
export function namedOf({ value, path }: Spot): readonly (readonly [key: string, member: Spot])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StoreFault({ path }, 'an object is expected');
  }
  return Object.entries(value).map(([key, member]) => [key, { value: member, path: [...path, key] }]);
}

export function itemsOf({ value, path }: Spot): readonly Spot[] {
  if (!Array.isArray(value)) throw new StoreFault({ path }, 'a list is expected');
  return value.map((item: unknown, index) => ({ value: item, path: [...path, index] }));
}

export function textOf(spot: Spot): string {
  if (typeof spot.value !== 'string' || spot.value === '') throw new StoreFault(spot, 'a text is expected');
  return spot.value;
}

/** A moment as ISO 8601; nothing less exact, because a grant may end with it. */
export function timeOf(spot: Spot): string {
  const text = textOf(spot);
  if (
    !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) ||
    Number.isNaN(Date.parse(text))
  ) {
    throw new StoreFault(spot, 'a time such as 2026-01-31T12:00:00Z is expected');
  }
  return text;
}

export function countOf(spot: Spot): number {
  const { value } = spot;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new StoreFault(spot, 'a whole number from 0 on is expected');
}
