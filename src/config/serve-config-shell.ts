import { type Field, invalid, parseBoolean, parseList, parseObject, parseText } from '../policy/field.ts';

/** What a file of settings may say about the shell tool. */
export interface ShellConfig {
  /** Whether a command line may ask for the network. */
  readonly network?: boolean;
  /** Names of environment variables that are passed on. */
  readonly env?: readonly string[];
  /** Directories that command lines see beside the project, read-only. */
  readonly read?: readonly string[];
  /** Seconds that a command line may take. */
  readonly timeout?: number;
  /** Mebibytes of memory, of all its processes together. */
  readonly memory?: number;
  readonly processes?: number;
  /** Mebibytes that it may write to its output. */
  readonly output?: number;
  /** Mebibytes of `/tmp`, which is empty at the beginning and gone at the end. */
  readonly tmp?: number;
}

/** The settings that are numbers, and the largest of each: a day, and more than a machine has. */
const shellNumbers: Readonly<Record<ShellNumber, number>> = {
  timeout: 86_400,
  memory: 16_777_216,
  processes: 1_000_000,
  output: 1_024,
  tmp: 1_048_576,
};

export type ShellNumber = 'timeout' | 'memory' | 'processes' | 'output' | 'tmp';

const readers: { readonly [Key in keyof ShellConfig]-?: (field: Field) => ShellConfig[Key] } = {
  network: parseBoolean,
  env: (field) => parseList(field).map(parseVariable),
  read: (field) => parseList(field).map(parseText),
  timeout: (field) => parseNumber(field, 'timeout'),
  memory: (field) => parseNumber(field, 'memory'),
  processes: (field) => parseNumber(field, 'processes'),
  output: (field) => parseNumber(field, 'output'),
  tmp: (field) => parseNumber(field, 'tmp'),
};

/** Reads them strictly, as everything in the file. */
export function parseShellConfig(field: Field): ShellConfig {
  const fields = parseObject(field, Object.keys(readers) as (keyof ShellConfig)[]);
  const read = Object.entries(fields).map(
    ([key, found]) => [key, readers[key as keyof ShellConfig](found)] as const,
  );
  return Object.fromEntries(read);
}

/** What is wrong with the name of a variable; `undefined` if nothing is. */
export function variableFault(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name) ? undefined : 'it is no name of an environment variable';
}

/** What is wrong with a number; `undefined` if nothing is. */
export function shellNumberFault(name: ShellNumber, value: unknown): string | undefined {
  const most = shellNumbers[name];
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
  return fits ? undefined : `it is no whole number from 1 to ${most}`;
}

function parseVariable(field: Field): string {
  const name = parseText(field);
  const fault = variableFault(name);
  if (fault !== undefined) throw invalid(field, fault);
  return name;
}

function parseNumber(field: Field, name: ShellNumber): number {
  const fault = shellNumberFault(name, field.value);
  if (fault !== undefined) throw invalid(field, fault);
  return field.value as number;
}
