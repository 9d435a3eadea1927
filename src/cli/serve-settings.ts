import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { loadServeConfig } from '../config/load-serve-config.ts';
import { type ServeFlags, type ServeOption, serveOptions } from '../config/serve-options.ts';
import { RootwardError } from '../errors.ts';
import { isFileUri } from '../path/file-uri.ts';
import type { MergeMode } from '../policy/merge-outcome.ts';
import type { PolicyConfig } from '../policy/policy-config.ts';
import type { CliContext } from './command-context.ts';
import { isPublic, parseServeAddress } from './parse-serve-address.ts';
import { chooses, servePolicy } from './serve-policy.ts';
import { given, readServeVariables, type ServeVariables } from './serve-variables.ts';

/** What the command was told, from all sides: a flag before a variable, a variable before the file. */
export interface ServeSettings {
  readonly directories: readonly string[] | undefined;
  readonly project: string | undefined;
  readonly merge: MergeMode | undefined;
  readonly policy: PolicyConfig;
  /** Whether the policy is the most that stored roots get, too. */
  readonly limited: boolean;
  /** Whether mounts within a root are refused. */
  readonly oneFilesystem: boolean;
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
  /** What its names begin with there. */
  readonly sessionsPrefix: string | undefined;
  readonly sessionsPassword: string | undefined;
  /** Keys that several nodes share: the file that holds them, or they themselves. */
  readonly sealingKeyFile: string | undefined;
  readonly sealingKey: string | undefined;
  /** How many processes serve. */
  readonly workers: number | undefined;
  readonly allowUnconfinedShell: boolean;
  /** What command lines may use. */
  readonly shell: ShellSettings;
  /** Whether the roots that the person keeps are what may be reached. */
  readonly store: boolean;
  /** What the person calls this server there. */
  readonly server: string;
}

/** What command lines of the shell tool may use. */
export type ShellSettings = Pick<ServeFlags, Extract<keyof ServeFlags, `shell${string}`>>;

/**
 * Puts flags, variables and the file together. Paths are absolute afterwards: those of flags and variables from
 * the terminal on, those of the file from the file on. `~` is the person's home everywhere, because a client that
 * starts a server reads its command line without a shell.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function readServeSettings(
  context: CliContext,
  flags: ServeFlags,
  directories: readonly string[],
): Promise<ServeSettings> {
  const { env = {} } = context.process;
  const named = directories.length > 0 ? { directories } : {};
  const here = absolutePaths({ ...readServeVariables(env), ...given(flags), ...named }, context.cwd);
  const file = here.config === undefined ? {} : await loadServeConfig(here.config);
  const said = { ...absolutePaths(file, dirname(here.config ?? '')), ...here };
  return refuseOpenDoors({
    ...placesOf(said),
    ...secretsOf(env),
    store: usesStore(said),
    server: said.server ?? 'rootward',
    merge: said.merge,
    policy: servePolicy(here, file.policy),
    limited: here.readOnly === true || chooses(file.policy),
    oneFilesystem: said.oneFilesystem ?? false,
    debug: said.debug ?? false,
    allowUnconfinedShell: said.allowUnconfinedShell ?? false,
    shell: shellOf(said),
  });
}

type Said = Omit<ServeVariables, 'config'>;

/** What is found on the disk, and what is reached over the network. */
function placesOf(said: Said) {
  return {
    directories: said.directories,
    project: said.project,
    markers: said.marker,
    logFile: said.logFile,
    http: httpOf(said),
    hosts: said.host ?? [],
    origins: said.origin ?? [],
    tokenFile: said.tokenFile,
    sessions: said.sessions,
    sessionsPrefix: said.sessionsPrefix,
    sealingKeyFile: said.sealingKeyFile,
    workers: said.workers,
  } satisfies Partial<ServeSettings>;
}

/** A word for no goes before the address in a file. */
function httpOf({ http }: Said): string | undefined {
  return http === false ? undefined : http;
}

/** What stands in the environment alone: others can read a command line. */
function secretsOf(env: Readonly<Record<string, string | undefined>>) {
  return {
    token: env['ROOTWARD_TOKEN'] || undefined,
    sessionsPassword: env['ROOTWARD_SESSIONS_PASSWORD'] || undefined,
    sealingKey: env['ROOTWARD_SEALING_KEY'] || undefined,
  } satisfies Partial<ServeSettings>;
}

function shellOf(said: Said): ShellSettings {
  return Object.fromEntries(Object.entries(said).filter(([name]) => name.startsWith('shell')));
}

/** Over HTTP only who says so; otherwise everybody who names nothing else. */
function usesStore(said: Said): boolean {
  const isFree = said.directories === undefined && said.project === undefined;
  if (said.store === true && !isFree) {
    const reason = 'directories or a project are named already';
    throw new RootwardError('INVALID_CONFIG', { where: '--store', reason });
  }
  return isFree && (said.store ?? httpOf(said) === undefined);
}

/** Whoever comes over the network would name any directory of this machine, and get it. */
function refuseOpenDoors(settings: ServeSettings): ServeSettings {
  const { http, hosts, merge } = settings;
  const widens = merge === 'union' || merge === 'client';
  if (http === undefined || !widens || !isPublic(parseServeAddress(http), hosts)) return settings;
  const reason = `${merge} lets clients name what is reached, and others than this machine can call; listen on loopback, or take intersect or operator`;
  throw new RootwardError('INVALID_CONFIG', { where: '--merge', reason });
}

/** The same, with every path from a directory on. */
function absolutePaths<Some extends Said>(said: Some, directory: string): Some {
  const from = (path: string): string => absolute(path, directory);
  const entries = Object.entries(said).map(([name, value]) => {
    if (!isPlace(name)) return [name, value];
    return [name, typeof value === 'string' ? from(value) : (value as readonly string[]).map(from)];
  });
  return Object.fromEntries(entries) as Some;
}

function isPlace(name: string): boolean {
  const { kind } = (serveOptions as Readonly<Record<string, ServeOption>>)[name] ?? {};
  return name === 'directories' || kind === 'path' || kind === 'paths';
}

/** Placeholders that nobody filled in stay as they are, to be refused by name. */
function absolute(text: string, from: string): string {
  const path = text.replace(/^~(?=[\\/]|$)/, () => homedir());
  return isFileUri(path) || isAbsolute(path) || /[$%{]/.test(path) ? path : resolve(join(from, path));
}
