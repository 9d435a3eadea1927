import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { flagOf, type ServeFlags, type ServeOption, serveOptionList, variableOf } from './serve-options.ts';
import type { ServeVariables } from './serve-variables.ts';

/** Where an option was said, by its flag: a variable or a key of a file. What was said by the flag is not there. */
export type SettingOrigins = Readonly<Record<string, string>>;

/** All that can say something, the first of them before the others. */
export interface SettingSources {
  readonly flags: ServeFlags;
  readonly variables: ServeVariables;
  readonly file: ServeFlags;
  /** The file itself. */
  readonly config: string | undefined;
}

export function findSettingOrigins(sources: SettingSources): SettingOrigins {
  const entries = serveOptionList.flatMap(([name, option]) => {
    const where = originOf(name as keyof ServeFlags, option, sources);
    return where === undefined ? [] : [[flagOf(name), where]];
  });
  return Object.fromEntries(entries) as SettingOrigins;
}

function originOf(
  name: keyof ServeFlags,
  { key = name }: ServeOption,
  { flags, variables, file, config = '' }: SettingSources,
): string | undefined {
  if (flags[name] !== undefined) return undefined;
  if (variables[name] !== undefined) return variableOf(name);
  return file[name] === undefined ? undefined : `${quote(config)} ${key || name}`;
}

/** The same error, pointing at what a person would have to change. Whoever found the mistake knows the flag alone. */
export function pointAt(error: unknown, origins: SettingOrigins): unknown {
  if (!RootwardError.is(error, 'INVALID_CONFIG')) return error;
  const where = origins[error.data.where];
  if (where === undefined) return error;
  return new RootwardError('INVALID_CONFIG', { ...error.data, where }, { cause: error });
}
