/**
 * A schema that both SDKs accept and that lets everything through: SDK v1 takes it for a Zod schema, v2 for a
 * Standard Schema. The schema of the SDK would throw a whole list away for one bad entry.
 */
export const passSchema = {
  parse: (value: unknown): unknown => value,
  safeParse: (value: unknown): { success: true; data: unknown } => ({ success: true, data: value }),
  '~standard': {
    version: 1,
    vendor: 'rootward',
    validate: (value: unknown): { value: unknown } => ({ value }),
  },
} as const;

/** The same, for registering a handler: SDK v1 reads the method from it, v2 wants the method itself. */
export function methodSchema(method: string): unknown {
  return { ...passSchema, shape: { method: { value: method } } };
}

/** The method that a handler is registered for, in the form of either SDK. */
export function methodOf(schema: unknown): string | undefined {
  if (typeof schema === 'string') return schema;
  const literal = property(property(schema, 'shape') ?? property(property(schema, 'def'), 'shape'), 'method');
  const value = property(literal, 'value') ?? property(property(literal, '_def'), 'value');
  return typeof value === 'string' ? value : undefined;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
