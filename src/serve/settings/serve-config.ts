import { basename, dirname } from 'node:path';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { operations } from '../../boundary/step/operation.ts';
import { type JsoncText, type JsonPath, nodeAt, parseJsonc, positionAt } from '../../config/parse-jsonc.ts';
import { RootwardError } from '../../errors.ts';
import { mergeModes } from '../../policy/merge.ts';
import {
  type Field,
  invalid,
  parseBoolean,
  parseList,
  parseObject,
  parseText,
  parseWord,
} from '../../policy/rules/field.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import {
  numberFault,
  type OptionKinds,
  type ServeFlags,
  type ServeOption,
  serveOptionList,
  variableFault,
} from './serve-options.ts';

/** What a file of settings for `rootward serve` says: flags by another name, and what no flag can say. */
export interface ServeConfig extends ServeFlags {
  /** What may be reached; on stdio the client may add to it, unless `merge` says otherwise. */
  readonly directories?: readonly string[];
  readonly policy?: PolicyConfig;
}

/**
 * Reads settings strictly: a key that is unknown or of the wrong kind refuses them all.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function parseServeConfig(value: unknown): ServeConfig {
  try {
    return parseGroup(
      { value, where: '' },
      {
        directories: (field) => ({ directories: parseTexts(field) }),
        policy: (field) => ({ policy: parsePolicyField(field) }),
        ...readersIn(''),
        shell: (field) => parseGroup(field, readersIn('shell.')),
      },
    );
  } catch (error) {
    // The fields are those of a policy, and so are its words for what is wrong with them.
    if (!RootwardError.is(error, 'INVALID_POLICY')) throw error;
    throw new RootwardError('INVALID_CONFIG', error.data, { cause: error });
  }
}

type Reader = (field: Field) => ServeConfig;

function parseGroup(field: Field, readers: Readonly<Record<string, Reader>>): ServeConfig {
  const fields = Object.entries(parseObject(field, Object.keys(readers)));
  return Object.assign({}, ...fields.map(([key, found]) => readers[key]?.(found as Field))) as ServeConfig;
}

/** By key, for the options whose keys begin so and go no deeper. */
function readersIn(group: string): Readonly<Record<string, Reader>> {
  const readers = serveOptionList.flatMap(([name, option]) => {
    const { key = name, kind } = option;
    const read: Reader = (field) => ({ [name]: parsers[kind](field, option) });
    if (key === false || !key.startsWith(group)) return [];
    const own = key.slice(group.length);
    return own.includes('.') ? [] : [[own, read] as const];
  });
  return Object.fromEntries(readers);
}

const parsers: {
  readonly [Kind in keyof OptionKinds]: (field: Field, option: ServeOption) => OptionKinds[Kind];
} = {
  text: parseText,
  path: parseText,
  file: parseText,
  address: parseText,
  texts: parseTexts,
  paths: parseTexts,
  globs: parseTexts,
  variables: (field) => parseList(field).map(parseVariable),
  switch: parseBoolean,
  number: parseNumber,
  merge: (field) => parseWord(field, mergeModes, 'modes'),
  operations: (field) => parseList(field).map((word) => parseWord(word, operations, 'operations')),
};

function parseTexts(field: Field): readonly string[] {
  return parseList(field).map(parseText);
}

function parseVariable(field: Field): string {
  const name = parseText(field);
  const fault = variableFault(name);
  if (fault !== undefined) throw invalid(field, fault);
  return name;
}

function parseNumber(field: Field, { most = Number.MAX_SAFE_INTEGER }: ServeOption): number {
  const fault = numberFault(field.value, most);
  if (fault !== undefined) throw invalid(field, fault);
  return field.value as number;
}

/** Compiled to find its faults; what is kept is the text, because flags may add to it. */
function parsePolicyField({ value, where }: Field): PolicyConfig {
  try {
    parsePolicy(value);
    return value as PolicyConfig;
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_POLICY')) throw error;
    const { where: inner, reason } = error.data;
    throw new RootwardError('INVALID_POLICY', { where: `${where}.${inner}`, reason });
  }
}

const largest = 1024 * 1024;

/**
 * Reads a file of settings: JSON, comments and trailing commas welcome.
 *
 * @throws {RootwardError} `INVALID_CONFIG`, with file, line, column and what was expected
 */
export async function loadServeConfig(file: string): Promise<ServeConfig> {
  const text = await readSettings(file);
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw invalidAt(file, text, parsed.fault);
  try {
    return parseServeConfig(parsed.value);
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_CONFIG')) throw error;
    const { where, reason } = error.data;
    throw invalidAt(file, text, { offset: offsetOf(parsed, where), reason, where });
  }
}

async function readSettings(file: string): Promise<string> {
  try {
    requireOwnPlace(file);
    await using boundary = await openBoundary(dirname(file));
    return await boundary.readText(basename(file), { limit: largest });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    const reason = error.code === 'SHARED_PLACE' ? `${error.message}. ${error.hint}` : error.message;
    throw new RootwardError('INVALID_CONFIG', { where: file, reason }, { cause: error });
  }
}

interface Fault {
  readonly offset: number;
  readonly reason: string;
  readonly where?: string;
}

function invalidAt(
  file: string,
  text: string,
  { offset, reason, where }: Fault,
): RootwardError<'INVALID_CONFIG'> {
  const { line, column } = positionAt(text, offset);
  const place = `${file}:${line}:${column}`;
  return new RootwardError('INVALID_CONFIG', {
    where: where === undefined ? place : `${place} ${where}`,
    reason,
  });
}

function offsetOf({ tree }: JsoncText, where: string): number {
  return nodeAt(tree, toPath(where)).offset;
}

/** `policy.roots["my app"].deny[0]` as keys and indexes. */
function toPath(where: string): JsonPath {
  return Array.from(
    where.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z]\w*)/g),
    ([, index, quoted, key]) => (index === undefined ? (quoted ?? key ?? '') : Number(index)),
  );
}
