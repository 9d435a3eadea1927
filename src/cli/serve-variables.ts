import { delimiter } from 'node:path';
import { operations } from '../boundary/operation.ts';
import { type ShellNumber, shellNumberFault, variableFault } from '../config/serve-config-shell.ts';
import { RootwardError } from '../errors.ts';
import { mergeModes } from '../policy/merge-outcome.ts';
import { quote } from '../quote.ts';
import type { ServeFlags } from './serve-flags.ts';

/** What the environment says. `http` may be `false`: a word for no. */
export type ServeVariables = Omit<ServeFlags, 'http'> & {
  readonly directories?: readonly string[];
  readonly http?: string | false;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The twin of each flag. An empty variable says nothing. Lists have commas between their entries, except where
 * an entry may hold one; lists of directories are written as `PATH` is.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function readServeVariables(environment: Environment): ServeVariables {
  const said: Said = (name) => environment[`ROOTWARD_${name}`] || undefined;
  return given({
    directories: paths(said('DIRECTORIES')),
    project: said('PROJECT'),
    merge: word('MERGE', said('MERGE'), mergeModes),
    readOnly: yes('READ_ONLY', said('READ_ONLY')),
    allow: list(said('ALLOW'))?.map((name) => word('ALLOW', name, operations) ?? 'read'),
    deny: globs(said('DENY')),
    marker: list(said('MARKER')),
    config: said('CONFIG'),
    logFile: said('LOG_FILE'),
    debug: yes('DEBUG', said('DEBUG')),
    ...networkOf(said),
    ...shellOf(said),
    store: yes('STORE', said('STORE')) ?? not(yes('NO_STORE', said('NO_STORE'))),
    server: said('SERVER'),
  });
}

/** The text of a variable, by its name without what all of ours begin with. */
type Said = (name: string) => string | undefined;

function networkOf(said: Said): Partial<Undefinable<ServeVariables>> {
  return {
    http: address(said('HTTP')),
    host: list(said('HOST')),
    origin: list(said('ORIGIN')),
    tokenFile: said('TOKEN_FILE'),
    sessions: said('SESSIONS'),
    sessionsPrefix: said('SESSIONS_PREFIX'),
    sealingKeyFile: said('SEALING_KEY_FILE'),
    workers: count('WORKERS', said('WORKERS')),
  };
}

function shellOf(said: Said): Partial<Undefinable<ServeVariables>> {
  const number = (name: string, key: ShellNumber): number | undefined => {
    const text = said(name);
    const fault = text === undefined ? undefined : shellNumberFault(key, /^\d+$/.test(text) && Number(text));
    if (fault !== undefined) throw invalid(name, fault);
    return text === undefined ? undefined : Number(text);
  };
  return {
    shellNetwork: yes('SHELL_NETWORK', said('SHELL_NETWORK')),
    shellEnv: list(said('SHELL_ENV'))?.map((name) => {
      const fault = variableFault(name);
      if (fault !== undefined) throw invalid('SHELL_ENV', `${quote(name)}: ${fault}`);
      return name;
    }),
    shellRead: paths(said('SHELL_READ')),
    shellTimeout: number('SHELL_TIMEOUT', 'timeout'),
    shellMemory: number('SHELL_MEMORY', 'memory'),
    shellProcesses: number('SHELL_PROCESSES', 'processes'),
    shellOutput: number('SHELL_OUTPUT', 'output'),
    shellTmp: number('SHELL_TMP', 'tmp'),
    allowUnconfinedShell: yes('ALLOW_UNCONFINED_SHELL', said('ALLOW_UNCONFINED_SHELL')),
  };
}

type Undefinable<Fields> = { [Key in keyof Fields]: Fields[Key] | undefined };

/** Without what nobody said, so that it does not hide what somebody else did. */
export function given<Said extends object>(
  said: Said,
): { [Key in keyof Said]?: Exclude<Said[Key], undefined> } {
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Said]?: Exclude<Said[Key], undefined> };
}

function paths(text: string | undefined): readonly string[] | undefined {
  return text?.split(delimiter).filter((path) => path !== '');
}

/** `a, b` is as good as `a,b`. */
function list(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The comma in `*.{a,b}` belongs to the glob. */
function globs(text: string | undefined): readonly string[] | undefined {
  let depth = 0;
  const marked = text?.replaceAll(/\\.|[{},]/gs, (found) => {
    if (found === '{') depth += 1;
    if (found === '}') depth -= 1;
    return found === ',' && depth <= 0 ? '\0' : found;
  });
  return marked
    ?.split('\0')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
}

/** `1` is a word for yes here, and no port: nobody listens there by accident. */
function address(text: string | undefined): string | false | undefined {
  const switched = text === undefined ? undefined : readYes(text);
  if (switched === undefined) return text;
  return switched ? '' : false;
}

function word<Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const found = words.find((known) => known === value);
  if (value !== undefined && found === undefined)
    throw invalid(name, `${quote(value)} is none of ${words.join(', ')}`);
  return found;
}

function count(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw invalid(name, `${quote(value)} is no number from 1 to 999`);
}

function yes(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  const said = readYes(value);
  if (said === undefined) throw invalid(name, `${quote(value)} is neither 1 nor 0`);
  return said;
}

function readYes(value: string): boolean | undefined {
  if (/^(?:1|true|yes|on)$/i.test(value)) return true;
  return /^(?:0|false|no|off)$/i.test(value) ? false : undefined;
}

function not(said: boolean | undefined): boolean | undefined {
  return said === undefined ? undefined : !said;
}

function invalid(name: string, reason: string): RootwardError<'INVALID_CONFIG'> {
  return new RootwardError('INVALID_CONFIG', { where: `ROOTWARD_${name}`, reason });
}
