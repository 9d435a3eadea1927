import type { FlagParametersForType } from '@stricli/core';
import { numberFault, variableFault } from '../../serve/settings/option-fault.ts';
import {
  type OptionKinds,
  type ServeFlags,
  type ServeOption,
  serveOptionList,
} from '../../serve/settings/serve-options.ts';
import { mergeModes } from '../../policy/merge-outcome.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { parseOperation } from '../terminal/parse-operation.ts';

type Flags = FlagParametersForType<ServeFlags, CliContext>;

/** The flags of `rootward serve`, as the command line reads them. */
export function createServeFlags(): Flags {
  const flags = serveOptionList.map(([name, option]) => {
    const { kind, brief, placeholder } = option;
    return [name, { ...shapes[kind](option), optional: true, brief, ...(placeholder && { placeholder }) }];
  });
  return Object.fromEntries(flags) as Flags;
}

const text = { kind: 'parsed', parse: String };
const texts = { ...text, variadic: true };

const shapes: { readonly [Kind in keyof OptionKinds]: (option: ServeOption) => object } = {
  text: () => text,
  path: () => text,
  file: () => text,
  address: () => ({ ...text, inferEmpty: true }),
  texts: () => texts,
  paths: () => texts,
  globs: () => texts,
  variables: () => ({ ...texts, parse: parseVariable }),
  switch: ({ negatable = false }) => ({ kind: 'boolean', withNegated: negatable }),
  number: ({ most = Number.MAX_SAFE_INTEGER }) => ({
    ...text,
    parse: (said: string) => parseNumber(said, most),
  }),
  merge: () => ({ kind: 'enum', values: mergeModes }),
  operations: () => ({ ...text, variadic: ',', parse: (said: string) => parseOperation(said.trim()) }),
};

function parseVariable(said: string): string {
  const fault = variableFault(said);
  if (fault !== undefined) throw new Error(fault);
  return said;
}

function parseNumber(said: string, most: number): number {
  const value = /^\d+$/.test(said) ? Number(said) : Number.NaN;
  const fault = numberFault(value, most);
  if (fault !== undefined) throw new Error(fault);
  return value;
}
