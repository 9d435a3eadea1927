import { type Fields, fieldsOf } from '../../base/fields.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { escapeText } from '../../base/quote.ts';

/**
 * Names the arguments of a call that its tool does not take, in one line: `ignored: lines; did you mean head?`.
 * Hosts add arguments of their own, so they fail no call, but a caller must not believe that they counted.
 */
export function describeIgnored(schema: Fields, input: unknown): string | undefined {
  const ignored: IgnoredArgument[] = [];
  collect({ schema, value: input, path: '' }, { ignored, left: mostValues });
  if (ignored.length === 0) return undefined;
  // Those with a suggestion come first, in the order of the suggestions.
  const sorted = ignored.toSorted((one, other) => Number(!one.meant) - Number(!other.meant));
  const names = sorted.slice(0, mostNames).map(({ name }) => escapeText(name.slice(0, longestName)));
  const more = ignored.length > mostNames ? ` and ${ignored.length - mostNames} more` : '';
  const meant = sorted.slice(0, mostNames).flatMap((one) => one.meant ?? []);
  return `ignored: ${names.join(', ')}${more}${
    meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
  }`;
}

/** The arguments that a tool takes. */
export interface TakenArguments {
  readonly schema: Fields;
  readonly names: ReadonlySet<string>;
  /** No argument has properties of its own. */
  readonly isFlat: boolean;
}

export function readArguments(schema: Fields): TakenArguments {
  const { properties } = schema;
  const parts = Object.values(fieldsOf(properties)).map(fieldsOf);
  const isNested = ({ properties: inner, items }: Fields): boolean =>
    inner !== undefined || fieldsOf(items)['properties'] !== undefined;
  return {
    schema,
    names: new Set(Object.keys(fieldsOf(properties))),
    isFlat: properties !== undefined && !parts.some(isNested),
  };
}

interface IgnoredArgument {
  readonly name: string;
  /** The argument that the caller may have meant. */
  readonly meant: string | undefined;
}

/** Limits of the line, and of the values that are looked at for it. */
const mostNames = 10;
const longestName = 40;
const mostValues = 2_000;

interface SchemaPlace {
  readonly schema: Fields;
  readonly value: unknown;
  /** With a dot at its end; the same for all items of a list. */
  readonly path: string;
}

interface Collected {
  readonly ignored: IgnoredArgument[];
  left: number;
}

/** Goes through a value along its schema. A part without listed properties may hold anything. */
function collect({ schema, value, path }: SchemaPlace, found: Collected): void {
  if ((found.left -= 1) < 0) return;
  if (Array.isArray(value)) {
    const items = fieldsOf(schema['items']);
    const list: readonly unknown[] = items['properties'] === undefined ? [] : value;
    for (const item of list) collect({ schema: items, value: item, path }, found);
    return;
  }
  const { properties } = schema;
  if (properties === undefined) return;
  const known = fieldsOf(properties);
  const given = fieldsOf(value);
  for (const [name, item] of Object.entries(given)) {
    if (Object.hasOwn(known, name))
      collect({ schema: fieldsOf(known[name]), value: item, path: `${path}${name}.` }, found);
    else
      note(found, {
        name: `${path}${name}`,
        meant: meantBy(name, known, given),
      });
  }
}

/** A wrong name in every item of a list is named once. */
function note({ ignored }: Collected, argument: IgnoredArgument): void {
  if (!ignored.some(({ name }) => name === argument.name)) ignored.push(argument);
}

/** Finds an argument of the tool that was not given and has nearly this name, or means the same elsewhere. */
function meantBy(name: string, known: Fields, given: Fields): string | undefined {
  const free = Object.keys(known).filter((one) => !Object.hasOwn(given, one));
  const plain = plainName(name);
  const elsewhere = Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined;
  return (
    free.find((one) => plainName(one) === plain) ??
    elsewhere?.find((one) => free.includes(one)) ??
    nearestName(name, free)
  );
}

/** `file_path` and `filePath` are the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Arguments as the file tools of other servers and agents name them, with their names here, best first. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  lines: ['head', 'limit'],
  limit: ['head', 'length'],
  count: ['limit', 'head'],
  maxresults: ['limit'],
  headlimit: ['limit', 'head'],
  file: ['path'],
  filepath: ['path'],
  filename: ['path'],
  targetfile: ['path'],
  absolutepath: ['path'],
  relativepath: ['path'],
  relativeworkspacepath: ['path'],
  directory: ['path'],
  dir: ['path'],
  dirpath: ['path'],
  folder: ['path'],
  uri: ['path'],
  files: ['paths', 'path'],
  filepaths: ['paths'],
  text: ['content', 'pattern', 'query'],
  contents: ['content'],
  filetext: ['content'],
  data: ['content'],
  body: ['content'],
  query: ['pattern'],
  regex: ['pattern'],
  search: ['pattern', 'query'],
  glob: ['globs', 'pattern'],
  globpattern: ['globs', 'pattern'],
  include: ['globs'],
  includepattern: ['globs'],
  ignore: ['exclude', 'excludePatterns'],
  excludepattern: ['exclude', 'excludePatterns'],
  casesensitive: ['ignoreCase'],
  oldstring: ['oldText'],
  oldstr: ['oldText'],
  newstring: ['newText'],
  newstr: ['newText'],
  from: ['source'],
  src: ['source'],
  to: ['destination'],
  dest: ['destination'],
  target: ['destination'],
  cmd: ['command'],
  workdir: ['cwd'],
  workingdirectory: ['cwd'],
  workingdir: ['cwd'],
  projectpath: ['cwd'],
  projectroot: ['cwd'],
  root: ['cwd'],
  workspace: ['cwd'],
  name: ['project'],
};

/** Adds lines to the answer of a tool: after a text of their own, or in the text of an error. */
export function withNotes(answer: unknown, notes: readonly string[]): unknown {
  const { content, isError } = fieldsOf(answer);
  if (notes.length === 0 || !Array.isArray(content)) return answer;
  const text = notes.join('\n');
  const [first, ...others]: readonly unknown[] = content;
  const { text: error, ...block } = fieldsOf(first);
  // Some clients show only the first text of an error.
  const told =
    isError === true && typeof error === 'string'
      ? [{ ...block, text: `${error}\n${text}` }, ...others]
      : [first, ...others, { type: 'text', text }];
  return {
    ...fieldsOf(answer),
    content: told.filter((one) => one !== undefined),
  };
}
