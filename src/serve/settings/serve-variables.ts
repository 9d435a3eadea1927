import { delimiter } from 'node:path';
import { quote } from '../../base/quote.ts';
import { operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { mergeModes } from '../../policy/merge.ts';
import {
  numberFault,
  type OptionKinds,
  type ServeFlags,
  type ServeOption,
  serveOptionList,
  variableFault,
  variableOf,
} from './serve-options.ts';

/** What the environment says. `http` may be `false`: a word for no. */
export type ServeVariables = Omit<ServeFlags, 'http'> & {
  readonly directories?: readonly string[];
  readonly http?: string | false;
};

const directoriesVariable = 'ROOTWARD_DIRECTORIES';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The twin of each flag. An empty variable says nothing. Lists have commas between their entries, except where
 * an entry may hold one; lists of directories are written as `PATH` is.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function readServeVariables(environment: Environment): ServeVariables {
  const read = serveOptionList.map(([name, option]) => [name, readTwin(environment, name, option)] as const);
  const directories = environment[directoriesVariable] || undefined;
  return given({
    ...(Object.fromEntries(read) as ServeVariables),
    ...(directories !== undefined && { directories: splitPaths(directories) }),
  });
}

/** The names of all that is read, those of switches that can be switched off included. */
export const serveVariables: readonly string[] = [
  directoriesVariable,
  ...serveOptionList.flatMap(([name, { negatable = false }]) =>
    negatable ? [variableOf(name), negationOf(name)] : [variableOf(name)],
  ),
];

function readTwin(environment: Environment, flag: string, option: ServeOption): unknown {
  const name = variableOf(flag);
  const text = environment[name] || undefined;
  const said = text === undefined ? undefined : readers[option.kind](text, { name, option });
  const negation = negationOf(flag);
  const negated = (option.negatable === true && environment[negation]) || undefined;
  if (negated === undefined) return said;
  const opposite = !readSwitch(negated, { name: negation });
  if (said !== undefined && said !== opposite)
    throw invalid({ name: negation }, `it contradicts ${name}; say one of them`);
  return opposite;
}

function negationOf(name: string): string {
  return variableOf(`no${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}

/** The variable that is read, by its name, and what it is to say. */
interface Twin {
  readonly name: string;
  readonly option: ServeOption;
}

const readers: {
  readonly [Kind in keyof OptionKinds]: (text: string, twin: Twin) => OptionKinds[Kind] | false;
} = {
  text: String,
  path: String,
  file: String,
  address: readAddress,
  texts: splitList,
  paths: splitPaths,
  globs: splitGlobs,
  variables: (text, twin) => splitList(text).map((name) => readVariable(name, twin)),
  switch: readSwitch,
  number: readNumber,
  merge: (text, twin) => readWord(text, mergeModes, twin),
  operations: (text, twin) => splitList(text).map((word) => readWord(word, operations, twin)),
};

/** `1` is a word for yes here, and no port: nobody listens there by accident. */
function readAddress(text: string): string | false {
  const switched = toSwitch(text);
  if (switched === undefined) return text;
  return switched ? '' : false;
}

/** `a, b` is as good as `a,b`. */
function splitList(text: string): readonly string[] {
  return trimmed(text.split(','));
}

function splitPaths(text: string): readonly string[] {
  return text.split(delimiter).filter((path) => path !== '');
}

/** The comma in `*.{a,b}` belongs to the glob. */
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

function readVariable(text: string, twin: Twin): string {
  const fault = variableFault(text);
  if (fault !== undefined) throw invalid(twin, `${quote(text)}: ${fault}`);
  return text;
}

function readSwitch(text: string, twin: Pick<Twin, 'name'>): boolean {
  const said = toSwitch(text);
  if (said === undefined) throw invalid(twin, `${quote(text)} is neither 1 nor 0`);
  return said;
}

function toSwitch(text: string): boolean | undefined {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  return /^(?:0|false|no|off)$/i.test(text) ? false : undefined;
}

function readNumber(text: string, twin: Twin): number {
  const fault = numberFault(/^\d+$/.test(text) && Number(text), twin.option.most ?? Number.MAX_SAFE_INTEGER);
  if (fault !== undefined) throw invalid(twin, fault);
  return Number(text);
}

function readWord<Word extends string>(text: string, words: readonly Word[], twin: Twin): Word {
  const found = words.find((known) => known === text);
  if (found === undefined) throw invalid(twin, `${quote(text)} is none of ${words.join(', ')}`);
  return found;
}

function invalid({ name }: Pick<Twin, 'name'>, reason: string): RootwardError<'INVALID_CONFIG'> {
  return new RootwardError('INVALID_CONFIG', { where: name, reason });
}

/** Without what nobody said, so that it does not hide what somebody else did. */
export function given<Said extends object>(
  said: Said,
): { [Key in keyof Said]?: Exclude<Said[Key], undefined> } {
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Said]?: Exclude<Said[Key], undefined> };
}
