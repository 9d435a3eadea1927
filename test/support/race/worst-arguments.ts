/** What a JSON Schema says, as far as ours use it. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The arguments of one call, and what makes them bad. */
export interface WorstCase {
  readonly flavour: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What messages may hold, with a little room. */
const message = 9 * 1_048_576;

/** Everything bad that a schema allows: every flavour, on every place. */
export function worstCases(schema: Schema, places: readonly string[]): readonly WorstCase[] {
  return Object.entries(flavours).flatMap(([flavour, fill]) =>
    places.map((place) => ({
      flavour: `${flavour} on ${place}`,
      // Made when they are read: most cases are megabytes, and few of them are chosen.
      get arguments() {
        return fields(schema, (name, field) => fill(name, field, place));
      },
    })),
  );
}

type Fill = (name: string, schema: Schema, place: string) => unknown;

const isPlace = /^(?:path|source|destination|cwd|project)$/;
const isGlobs = /^(?:globs|exclude|excludePatterns)$/;

const alternatives = `{${Array.from({ length: 250 }, (_, index) => `*a*${index}`).join(',')}}`;
const adversarialGlobs = [
  alternatives.slice(0, 1_000).replace(/,[^,]*$/, '}'),
  `${'*a'.repeat(500)}b`,
  `${'**/a*/'.repeat(15)}b`,
  `${'[a-z]*'.repeat(150)}0`,
  `${'?*'.repeat(500)}x`,
];
const adversarialPatterns = [
  '.',
  '(a|a)*$',
  '(?:a?){200}a{200}b',
  '[a-z]*[a-z]*[a-z]*!',
  '(a{1000}){1000}',
  '\\pL{500}',
];

/** How each field is filled; a field that is left `undefined` is not sent. */
const flavours: Readonly<Record<string, Fill>> = {
  'the longest of everything': (name, schema, place) =>
    isPlace.test(name) ? place : longest(schema, message / 4),
  'adversarial globs': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    if (isGlobs.test(name)) return repeat(adversarialGlobs, 800);
    if (name === 'pattern') return adversarialGlobs[1];
    return usual(schema);
  },
  'globs of many alternatives': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    if (isGlobs.test(name)) return repeat([adversarialGlobs[0] ?? ''], 16);
    return name === 'pattern' ? '**/{a,b}*' : usual(schema);
  },
  'adversarial patterns': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    if (name === 'pattern') return adversarialPatterns[place.length % adversarialPatterns.length];
    if (name === 'query') return 'a b c d e f g h i j k l m n o p';
    return most(schema);
  },
  'the same again and again': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    if (name === 'paths') return Array(schema.maxItems).fill(place);
    if (name === 'edits')
      return Array.from({ length: schema.maxItems ?? 0 }, () => ({ oldText: 'a', newText: 'b' }));
    return usual(schema);
  },
  'lines that are nearly there': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    if (name === 'edits') return [{ oldText: `${' a\n'.repeat(500_000)}b`, newText: 'x\n'.repeat(500_000) }];
    return usual(schema);
  },
  'everything exchanged': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    if (name === 'edits') return [{ oldText: 'a\n'.repeat(1_500_000), newText: 'b\n'.repeat(1_500_000) }];
    return most(schema);
  },
  'values of other types': (name, schema) =>
    schema.type === 'array' ? Array(9_000).fill(0) : { [name]: [[[[]]]] },
  'far too many values': () => Array(500_000).fill(0),
  'the largest numbers': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    return schema.type === 'number' || schema.type === 'integer'
      ? (schema.maximum ?? Number.MAX_SAFE_INTEGER)
      : usual(schema);
  },
  'numbers out of range': (name, schema, place) => {
    if (isPlace.test(name)) return place;
    return schema.type === 'number' || schema.type === 'integer' ? -1e308 : usual(schema);
  },
  'the longest paths': (name, schema) =>
    isPlace.test(name) ? 'a/'.repeat((schema.maxLength ?? 0) / 2) : usual(schema),
};

function fields(
  schema: Schema,
  fill: (name: string, schema: Schema) => unknown,
): Readonly<Record<string, unknown>> {
  const filled = Object.entries(schema.properties ?? {})
    // Where to look is named by the path; a second place would only refuse the call.
    .filter(([name]) => name !== 'cwd' && name !== 'project')
    .map(([name, field]) => [name, fill(name, field)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

function repeat<Item>(items: readonly Item[], count: number): readonly Item[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length] as Item);
}

/** A value of the largest size, of at most so many characters. */
function longest(schema: Schema, room: number): unknown {
  if (schema.enum !== undefined) return schema.enum.at(-1);
  if (schema.type === 'string') return 'a'.repeat(Math.min(schema.maxLength ?? room, room));
  if (schema.type === 'array') {
    const count = schema.maxItems ?? 1_000;
    return Array.from({ length: count }, () => longest(schema.items ?? {}, Math.floor(room / count)));
  }
  if (schema.type === 'object') return fields(schema, (_name, field) => longest(field, room / 2));
  return most(schema);
}

/** A value that is taken. */
function usual(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'string') return 'a';
  if (schema.type === 'array') return [usual(schema.items ?? {})];
  if (schema.type === 'object') return fields(schema, (_name, field) => usual(field));
  return schema.type === 'boolean' ? true : undefined;
}

/** The same, with the largest numbers. */
function most(schema: Schema): unknown {
  if (schema.type === 'number' || schema.type === 'integer') return schema.maximum ?? 1_000_000;
  return usual(schema);
}
