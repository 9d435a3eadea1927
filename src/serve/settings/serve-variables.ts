import { delimiter } from 'node:path';
import { quote } from '../../base/quote.ts';
import { readValue } from '../../base/read-value.ts';
import { RootwardError } from '../../errors.ts';
import { dropUndefined, optionSchema } from './serve-config.ts';
import {
  type OptionKinds,
  type ServeFlags,
  type ServeOption,
  serveOptionList,
  variableOf,
} from './serve-options.ts';

/** The options from the environment. `http` may be `false`, a word for no. */
export type ServeVariables = Omit<ServeFlags, 'http'> & {
  readonly directories?: readonly string[];
  readonly http?: string | false;
};

const directoriesVariable = 'ROOTWARD_DIRECTORIES';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variable of each option. An empty variable means nothing. Lists are separated by commas, except where
 * an entry may contain one; lists of directories are written like `PATH`.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function readServeVariables(environment: Environment): ServeVariables {
  const read = serveOptionList.map(([name, option]) => [name, readTwin(environment, name, option)] as const);
  const directories = environment[directoriesVariable] || undefined;
  return dropUndefined({
    ...(Object.fromEntries(read) as ServeVariables),
    ...(directories !== undefined && { directories: splitPaths(directories) }),
  });
}

/** The names of all variables, including the negated ones. */
export const serveVariables: readonly string[] = [
  directoriesVariable,
  ...serveOptionList.flatMap(([name, { negatable = false }]) =>
    negatable ? [variableOf(name), negationOf(name)] : [variableOf(name)],
  ),
];

function readTwin(environment: Environment, flag: string, option: ServeOption): unknown {
  const name = variableOf(flag);
  const text = environment[name] || undefined;
  const value = text === undefined ? undefined : readText(text, name, option);
  const negation = negationOf(flag);
  const negated = (option.negatable === true && environment[negation]) || undefined;
  if (negated === undefined) return value;
  const opposite = !readSwitch(negated, negation);
  if (value !== undefined && value !== opposite)
    throw invalid(negation, `it contradicts ${name}; say one of them`);
  return opposite;
}

function negationOf(name: string): string {
  return variableOf(`no${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}

/** Converts the text of a variable to a value, by the kind of its option. */
const readers: Readonly<Record<keyof OptionKinds, (text: string, name: string) => unknown>> = {
  text: String,
  path: String,
  file: String,
  address: readAddress,
  texts: splitList,
  paths: splitPaths,
  globs: splitGlobs,
  names: splitList,
  variables: splitList,
  switch: readSwitch,
  number: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  merge: String,
  preset: String,
  operations: splitList,
};

/** The kinds whose value may still be wrong; the schema of the option checks it. */
const judged: ReadonlySet<keyof OptionKinds> = new Set<keyof OptionKinds>([
  'variables',
  'number',
  'merge',
  'preset',
  'operations',
]);

function readText(text: string, name: string, option: ServeOption): unknown {
  const value = readers[option.kind](text, name);
  if (!judged.has(option.kind)) return value;
  const read = readValue(optionSchema(option), value);
  if ('fault' in read) throw invalid(name, read.fault.reason);
  return read.value;
}

/** Reads an address. `1` means yes here and not port 1. */
function readAddress(text: string): string | false {
  const switched = toSwitch(text);
  if (switched === undefined) return text;
  return switched ? '' : false;
}

/** Spaces around the commas are ignored. */
function splitList(text: string): readonly string[] {
  return trimmed(text.split(','));
}

function splitPaths(text: string): readonly string[] {
  return text.split(delimiter).filter((path) => path !== '');
}

/** Splits at commas, except inside the braces of `*.{a,b}`. */
function splitGlobs(text: string): readonly string[] {
  let depth = 0;
  const marked = text.replaceAll(/\\.|[{},]/gs, (found) => {
    if (found === '{') depth += 1;
    if (found === '}') depth -= 1;
    return found === ',' && depth <= 0 ? '\0' : found;
  });
  return trimmed(marked.split('\0'));
}

function trimmed(items: readonly string[]): readonly string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function readSwitch(text: string, name: string): boolean {
  const value = toSwitch(text);
  if (value === undefined) throw invalid(name, `${quote(text)} is neither 1 nor 0`);
  return value;
}

function toSwitch(text: string): boolean | undefined {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  return /^(?:0|false|no|off)$/i.test(text) ? false : undefined;
}

function invalid(name: string, reason: string): RootwardError<'INVALID_CONFIG'> {
  return new RootwardError('INVALID_CONFIG', { where: name, reason });
}
