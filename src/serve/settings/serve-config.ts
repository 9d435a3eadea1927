import { basename, dirname } from 'node:path';
import * as z from 'zod/mini';
import { type Fields, ownField } from '../../base/fields.ts';
import { readJsonc } from '../../base/parse-jsonc.ts';
import { quote } from '../../base/quote.ts';
import { lineOfText, listOf, objectOf, placeText, problem, readValue } from '../../base/read-value.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { mergeModes } from '../../policy/merge.ts';
import { chainPresetNames } from '../../workspace/chain/chain-presets.ts';
import { type PolicyConfig, policySchema } from '../../policy/rules/policy-config.ts';
import {
  numberFault,
  type OptionKinds,
  type ServeFlags,
  type ServeOption,
  serveOptionList,
  variableFault,
} from './serve-options.ts';

/** The content of a settings file for `rootward serve`: the flags by other names, and settings without a flag. */
export interface ServeConfig extends ServeFlags {
  /** The directories that can be reached. Over stdio a client may add to them, unless `merge` forbids it. */
  readonly directories?: readonly string[];
  readonly policy?: PolicyConfig;
}

/**
 * Parses settings strictly: one unknown or wrong key refuses them all.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function parseServeConfig(value: unknown): ServeConfig {
  const read = readValue(createConfigSchema(), value);
  if ('value' in read) return read.value;
  const { path, reason } = read.fault;
  throw new RootwardError('INVALID_CONFIG', { where: placeText(path), reason });
}

const largest = 1024 * 1024;

/**
 * Reads a settings file: JSON with comments and trailing commas.
 *
 * @throws {RootwardError} `INVALID_CONFIG`, with file, line, column and what was expected
 */
export async function loadServeConfig(file: string): Promise<ServeConfig> {
  const read = readJsonc(await readSettings(file), createConfigSchema());
  if ('value' in read) return read.value;
  const { place, reason } = read.fault;
  throw new RootwardError('INVALID_CONFIG', { where: `${file}:${place}`, reason });
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

const texts = listOf(lineOfText);

/** The schema of a value in a file, by the kind of its option. */
const kinds: {
  readonly [Kind in keyof OptionKinds]: (option: ServeOption) => z.ZodMiniType<OptionKinds[Kind]>;
} = {
  text: () => lineOfText,
  path: () => lineOfText,
  file: () => lineOfText,
  address: () => lineOfText,
  texts: () => texts,
  paths: () => texts,
  globs: () => texts,
  names: () => texts,
  variables: () => listOf(variableName),
  switch: () => z.boolean(),
  number: ({ most = Number.MAX_SAFE_INTEGER }) => numberUpTo(most),
  merge: () => z.enum(mergeModes),
  preset: () => z.enum(chainPresetNames),
  operations: () => listOf(z.enum(operations)),
};

const variableName = lineOfText.check(({ value, issues }) => {
  const fault = variableFault(value);
  if (fault !== undefined) issues.push(problem(`${quote(value)}: ${fault}`));
});

function numberUpTo(most: number): z.ZodMiniType<number> {
  return z.custom<number>((value) => numberFault(value, most) === undefined, {
    error: numberFault(undefined, most),
  });
}

/** The schema of an option. Variables of the environment use it too. */
export function optionSchema(option: ServeOption): z.ZodMiniType {
  return kinds[option.kind](option);
}

/** Created on use, because most servers start without a file. */
function createConfigSchema(): z.ZodMiniType<ServeConfig> {
  const keys = objectOf({
    directories: z.exactOptional(texts),
    policy: z.exactOptional(policySchema),
    ...optionsIn(''),
    shell: z.exactOptional(objectOf(optionsIn('shell.'))),
  });
  return z.pipe(keys, z.transform(toConfig));
}

/** The options of a group by key, one level deep. */
function optionsIn(group: string): Readonly<Record<string, z.ZodMiniType>> {
  const options = serveOptionList.flatMap(([name, option]) => {
    const { key = name } = option;
    if (key === false || !key.startsWith(group)) return [];
    const own = key.slice(group.length);
    return own.includes('.') ? [] : [[own, z.exactOptional(optionSchema(option))] as const];
  });
  return Object.fromEntries(options);
}

/** Converts the keys of a file to the names of the options. */
function toConfig({ directories, policy, ...settings }: Fields): ServeConfig {
  const options = serveOptionList.map(([name, { key = name }]) => {
    const value = key === false ? undefined : key.split('.').reduce(ownField, settings);
    return [name, value] as const;
  });
  return dropUndefined({ directories, policy, ...Object.fromEntries(options) }) as ServeConfig;
}

/** Drops fields that are `undefined`, so that they do not override those of another source. */
export function dropUndefined<Settings extends object>(
  settings: Settings,
): { [Key in keyof Settings]?: Exclude<Settings[Key], undefined> } {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Settings]?: Exclude<Settings[Key], undefined> };
}
