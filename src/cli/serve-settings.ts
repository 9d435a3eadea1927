import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { type Operation, operations } from '../boundary/operation.ts';
import { loadServeConfig } from '../config/load-serve-config.ts';
import type { ServeConfig } from '../config/serve-config.ts';
import { RootwardError } from '../errors.ts';
import { isFileUri } from '../path/file-uri.ts';
import { type MergeMode, mergeModes } from '../policy/merge-outcome.ts';
import type { PolicyConfig } from '../policy/policy-config.ts';
import { quote } from '../quote.ts';
import type { CliContext } from './command-context.ts';

/** Flags of `rootward serve`. What is not given may stand in the environment or in a file. */
export interface ServeFlags {
  readonly project?: string;
  readonly merge?: MergeMode;
  readonly readOnly?: boolean;
  readonly allow?: readonly Operation[];
  readonly deny?: readonly string[];
  readonly marker?: readonly string[];
  readonly config?: string;
  readonly logFile?: string;
  readonly debug?: boolean;
  readonly http?: string;
  readonly host?: readonly string[];
  readonly origin?: readonly string[];
  readonly tokenFile?: string;
  readonly sessions?: string;
  readonly sealingKeyFile?: string;
  readonly workers?: number;
  readonly allowUnconfinedShell?: boolean;
  readonly store?: boolean;
  readonly server?: string;
}

/** What the command was told, from all sides: a flag before a variable, a variable before the file. */
export interface ServeSettings {
  readonly directories: readonly string[] | undefined;
  readonly project: string | undefined;
  readonly merge: MergeMode | undefined;
  readonly policy: PolicyConfig;
  /** Whether the policy is the most that stored roots get, too. */
  readonly limited: boolean;
  readonly markers: readonly string[] | undefined;
  readonly logFile: string | undefined;
  readonly debug: boolean;
  readonly http: string | undefined;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly tokenFile: string | undefined;
  readonly token: string | undefined;
  /** Where sessions are kept, if not in this process. */
  readonly sessions: string | undefined;
  readonly sessionsPassword: string | undefined;
  /** Keys that several nodes share: the file that holds them, or they themselves. */
  readonly sealingKeyFile: string | undefined;
  readonly sealingKey: string | undefined;
  /** How many processes serve. */
  readonly workers: number | undefined;
  readonly allowUnconfinedShell: boolean;
  /** Whether the roots that the person keeps are what may be reached. */
  readonly store: boolean;
  /** What the person calls this server there. */
  readonly server: string;
}

/**
 * Puts flags, variables and the file together. Paths are absolute afterwards: those of flags and variables from
 * the terminal on, those of the file from the file on.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function readServeSettings(
  context: CliContext,
  flags: ServeFlags,
  directories: readonly string[],
): Promise<ServeSettings> {
  const variables = readVariables(context.process.env ?? {});
  const here = { ...variables, ...given(flags) };
  const from = (path: string): string => absolute(path, context.cwd);
  const file = here.config === undefined ? {} : await readFile(from(here.config));
  const named = directories.length > 0 ? directories : variables.directories;
  const places = {
    directories: named?.map(from) ?? file.directories,
    project: here.project === undefined ? file.project : from(here.project),
  };
  const { store, ...network } = { store: here.store ?? file.store, http: here.http ?? file.http };
  return {
    ...places,
    ...network,
    store: usesStore(store, { ...places, ...network }),
    server: here.server ?? file.server ?? 'rootward',
    merge: here.merge ?? file.merge,
    policy: policyOf(here, file.policy),
    limited: here.readOnly === true || chooses(file.policy),
    markers: here.marker ?? file.markers,
    logFile: here.logFile === undefined ? file.logFile : from(here.logFile),
    debug: here.debug ?? file.debug ?? false,
    hosts: here.host ?? file.hosts ?? [],
    origins: here.origin ?? file.origins ?? [],
    tokenFile: here.tokenFile === undefined ? file.tokenFile : from(here.tokenFile),
    token: context.process.env?.['ROOTWARD_TOKEN'] || undefined,
    sessions: here.sessions ?? file.sessions,
    sessionsPassword: context.process.env?.['ROOTWARD_SESSIONS_PASSWORD'] || undefined,
    sealingKeyFile: here.sealingKeyFile === undefined ? file.sealingKeyFile : from(here.sealingKeyFile),
    sealingKey: context.process.env?.['ROOTWARD_SEALING_KEY'] || undefined,
    workers: here.workers ?? file.workers,
    allowUnconfinedShell: here.allowUnconfinedShell ?? file.allowUnconfinedShell ?? false,
  };
}

/** Over HTTP only who says so; otherwise everybody who names nothing else. */
function usesStore(
  wanted: boolean | undefined,
  { directories, project, http }: Pick<ServeSettings, 'directories' | 'project' | 'http'>,
): boolean {
  const isFree = directories === undefined && project === undefined;
  if (wanted === true && !isFree) {
    const reason = 'directories or a project are named already';
    throw new RootwardError('INVALID_CONFIG', { where: '--store', reason });
  }
  return isFree && (wanted ?? http === undefined);
}

type Variables = ServeFlags & { readonly directories?: readonly string[] };
type Environment = Readonly<Record<string, string | undefined>>;

/** The twin of each flag. An empty variable says nothing. */
function readVariables(environment: Environment): Variables {
  const text = (name: string): string | undefined => environment[`ROOTWARD_${name}`] || undefined;
  const list = (name: string, between: string): readonly string[] | undefined =>
    text(name)
      ?.split(between)
      .filter((item) => item !== '');
  return given({
    directories: list('DIRECTORIES', delimiter),
    project: text('PROJECT'),
    merge: word('MERGE', text('MERGE'), mergeModes),
    readOnly: yes('READ_ONLY', text('READ_ONLY')),
    allow: list('ALLOW', ',')?.map((name) => word('ALLOW', name, operations) ?? 'read'),
    deny: list('DENY', ','),
    marker: list('MARKER', ','),
    config: text('CONFIG'),
    logFile: text('LOG_FILE'),
    debug: yes('DEBUG', text('DEBUG')),
    http: text('HTTP'),
    host: list('HOST', ','),
    origin: list('ORIGIN', ','),
    tokenFile: text('TOKEN_FILE'),
    sessions: text('SESSIONS'),
    sealingKeyFile: text('SEALING_KEY_FILE'),
    workers: count('WORKERS', text('WORKERS')),
    allowUnconfinedShell: yes('ALLOW_UNCONFINED_SHELL', text('ALLOW_UNCONFINED_SHELL')),
    store: yes('STORE', text('STORE')) ?? not(yes('NO_STORE', text('NO_STORE'))),
    server: text('SERVER'),
  });
}

/** Without what nobody said, so that it does not hide what somebody else did. */
function given<Said extends object>(said: Said): { [Key in keyof Said]?: Exclude<Said[Key], undefined> } {
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Said]?: Exclude<Said[Key], undefined> };
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
  if (/^(?:1|true|yes|on)$/i.test(value)) return true;
  if (/^(?:0|false|no|off)$/i.test(value)) return false;
  throw invalid(name, `${quote(value)} is neither 1 nor 0`);
}

function not(said: boolean | undefined): boolean | undefined {
  return said === undefined ? undefined : !said;
}

function invalid(name: string, reason: string): RootwardError<'INVALID_CONFIG'> {
  return new RootwardError('INVALID_CONFIG', { where: `ROOTWARD_${name}`, reason });
}

/** Paths in a file are from the file on, and `~` is the person's home there, because no shell reads it. */
async function readFile(file: string): Promise<ServeConfig> {
  const config = await loadServeConfig(file);
  const from = (path: string): string => absolute(path.replace(/^~(?=[\\/]|$)/, homedir()), dirname(file));
  const { directories, project, logFile, tokenFile, sealingKeyFile } = config;
  return {
    ...config,
    ...(directories && { directories: directories.map(from) }),
    ...(project !== undefined && { project: from(project) }),
    ...(logFile !== undefined && { logFile: from(logFile) }),
    ...(tokenFile !== undefined && { tokenFile: from(tokenFile) }),
    ...(sealingKeyFile !== undefined && { sealingKeyFile: from(sealingKeyFile) }),
  };
}

/** Placeholders that nobody filled in stay as they are, to be refused by name. */
function absolute(path: string, from: string): string {
  return isFileUri(path) || isAbsolute(path) || /[$%{]/.test(path) ? path : resolve(join(from, path));
}

/** As users of a file server expect: read, list and write, unless somebody says otherwise. */
function policyOf({ readOnly, allow, deny }: ServeFlags, file: PolicyConfig = {}): PolicyConfig {
  if (readOnly === true && allow !== undefined)
    throw new RootwardError('INVALID_CONFIG', { where: '--allow', reason: 'it contradicts --read-only' });
  const base = readOnly === true ? withoutPermissions(file) : file;
  const preset = readOnly === true ? 'read-only' : chooses(base) ? base.preset : 'write-in-project';
  const more = new Set([...(base.allow ?? []), ...(allow ?? [])]);
  const denied = [...(base.deny ?? []), ...(deny ?? [])];
  return {
    ...base,
    ...(preset && { preset }),
    ...(more.size > 0 && { allow: [...more] }),
    ...(denied.length > 0 && { deny: denied }),
  };
}

function chooses({ preset, allow, ask }: PolicyConfig = {}): boolean {
  return preset !== undefined || allow !== undefined || ask !== undefined;
}

/** What only takes away: read-only means so in every root. */
function withoutPermissions({ deny, secrets, roots = {} }: PolicyConfig): PolicyConfig {
  const entries = Object.entries(roots).map(
    ([name, root]) => [name, root.deny ? { deny: root.deny } : {}] as const,
  );
  return {
    ...(deny && { deny }),
    ...(secrets !== undefined && { secrets }),
    ...(entries.length > 0 && { roots: Object.fromEntries(entries) }),
  };
}
