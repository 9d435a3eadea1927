import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { flagOf, type ServeFlags, type ServeOption, serveOptionList, variableOf } from './serve-options.ts';
import type { ServeVariables } from './serve-variables.ts';

/** The origin of each option, by its flag: a variable or a key of a file. Options given as flags are absent. */
export type SettingOrigins = Readonly<Record<string, string>>;

/** All sources, in order of precedence. */
export interface SettingSources {
  readonly flags: ServeFlags;
  readonly variables: ServeVariables;
  readonly file: ServeFlags;
  /** The path of the settings file. */
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

/** Rewrites an error that names a flag so that it names the setting's real origin. */
export function pointAt(error: unknown, origins: SettingOrigins): unknown {
  if (!RootwardError.is(error, 'INVALID_CONFIG')) return error;
  const where = origins[error.data.where];
  if (where === undefined) return error;
  return new RootwardError('INVALID_CONFIG', { ...error.data, where }, { cause: error });
}
