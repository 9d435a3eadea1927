/** An object as a record of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

export const noFields: Fields = Object.freeze({});

/** Whether a value is an object. Arrays are, `null` is not. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named fields. Arrays are not. */
export function isFields(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value);
}

/** Returns the value if it has fields, and an empty record otherwise. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : noFields;
}

/** Returns an own field of an object, never one of its prototype. */
export function ownField(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/**
 * Whether a value is an object as `JSON.parse` makes it. A `Map` or a `Date` has no fields of its own and
 * would look empty.
 */
export function isPlainObject(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
