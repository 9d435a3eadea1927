/** An object by the names of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

export const noFields: Fields = Object.freeze({});

/** Whether a value is an object: a list is one, `null` is none. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named fields: no list. */
export function isFields(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value);
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : noFields;
}

/** One field of an object by its own name: what a prototype brings is not there. */
export function ownField(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Whether a value is an object as JSON makes it. A `Map` or a `Date` would look empty. */
export function isPlainObject(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
