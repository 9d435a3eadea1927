import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { loadServeConfig } from '../config/load-serve-config.ts';
import type { ServeConfig } from '../config/serve-config.ts';
import type { ShellConfig } from '../config/serve-config-shell.ts';
import { RootwardError } from '../errors.ts';
import { isFileUri } from '../path/file-uri.ts';
import type { MergeMode } from '../policy/merge-outcome.ts';
import type { PolicyConfig } from '../policy/policy-config.ts';
import type { CliContext } from './command-context.ts';
import { isPublic, parseServeAddress } from './parse-serve-address.ts';
import type { ServeFlags } from './serve-flags.ts';
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
  readonly shell: ShellConfig;
  /** Whether the roots that the person keeps are what may be reached. */
  readonly store: boolean;
  /** What the person calls this server there. */
  readonly server: string;
}

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
  const variables = readServeVariables(env);
  const here: ServeVariables = { ...variables, ...given(flags) };
  const from = (path: string): string => absolute(path, context.cwd);
  const file = here.config === undefined ? {} : await readFile(from(here.config));
  const named = directories.length > 0 ? directories : variables.directories;
  const places = {
    directories: named?.map(from) ?? file.directories,
    project: here.project === undefined ? file.project : from(here.project),
    logFile: here.logFile === undefined ? file.logFile : from(here.logFile),
  };
  const network = { ...networkOf(here, file, from), ...secretsOf(env) };
  return refuseOpenDoors({
    ...places,
    ...network,
    store: usesStore(here.store ?? file.store, { ...places, ...network }),
    server: here.server ?? file.server ?? 'rootward',
    merge: here.merge ?? file.merge,
    policy: servePolicy(here, file.policy),
    limited: here.readOnly === true || chooses(file.policy),
    markers: here.marker ?? file.markers,
    debug: here.debug ?? file.debug ?? false,
    allowUnconfinedShell: here.allowUnconfinedShell ?? file.allowUnconfinedShell ?? false,
    shell: shellOf(here, file.shell, from),
  });
}

type Absolute = (path: string) => string;

function networkOf(here: ServeVariables, file: ServeConfig, from: Absolute) {
  const http = here.http ?? file.http;
  return {
    http: http === false ? undefined : http,
    hosts: here.host ?? file.hosts ?? [],
    origins: here.origin ?? file.origins ?? [],
    tokenFile: here.tokenFile === undefined ? file.tokenFile : from(here.tokenFile),
    sessions: here.sessions ?? file.sessions,
    sessionsPrefix: here.sessionsPrefix ?? file.sessionsPrefix,
    sealingKeyFile: here.sealingKeyFile === undefined ? file.sealingKeyFile : from(here.sealingKeyFile),
    workers: here.workers ?? file.workers,
  } satisfies Partial<ServeSettings>;
}

/** What stands in the environment alone: others can read a command line. */
function secretsOf(env: Readonly<Record<string, string | undefined>>) {
  return {
    token: env['ROOTWARD_TOKEN'] || undefined,
    sessionsPassword: env['ROOTWARD_SESSIONS_PASSWORD'] || undefined,
    sealingKey: env['ROOTWARD_SEALING_KEY'] || undefined,
  } satisfies Partial<ServeSettings>;
}

function shellOf(here: ServeVariables, file: ShellConfig = {}, from: Absolute): ShellConfig {
  return given({
    network: here.shellNetwork ?? file.network,
    env: here.shellEnv ?? file.env,
    read: here.shellRead?.map(from) ?? file.read,
    timeout: here.shellTimeout ?? file.timeout,
    memory: here.shellMemory ?? file.memory,
    processes: here.shellProcesses ?? file.processes,
    output: here.shellOutput ?? file.output,
    tmp: here.shellTmp ?? file.tmp,
  });
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

/** Whoever comes over the network would name any directory of this machine, and get it. */
function refuseOpenDoors(settings: ServeSettings): ServeSettings {
  const { http, hosts, merge } = settings;
  const widens = merge === 'union' || merge === 'client';
  if (http === undefined || !widens || !isPublic(parseServeAddress(http), hosts)) return settings;
  const reason = `${merge} lets clients name what is reached, and others than this machine can call; listen on loopback, or take intersect or operator`;
  throw new RootwardError('INVALID_CONFIG', { where: '--merge', reason });
}

async function readFile(file: string): Promise<ServeConfig> {
  const config = await loadServeConfig(file);
  const from: Absolute = (path) => absolute(path, dirname(file));
  const { directories, project, logFile, tokenFile, sealingKeyFile, shell } = config;
  return {
    ...config,
    ...(directories && { directories: directories.map(from) }),
    ...(project !== undefined && { project: from(project) }),
    ...(logFile !== undefined && { logFile: from(logFile) }),
    ...(tokenFile !== undefined && { tokenFile: from(tokenFile) }),
    ...(sealingKeyFile !== undefined && { sealingKeyFile: from(sealingKeyFile) }),
    ...(shell && { shell: { ...shell, ...(shell.read && { read: shell.read.map(from) }) } }),
  };
}

/** Placeholders that nobody filled in stay as they are, to be refused by name. */
function absolute(text: string, from: string): string {
  const path = text.replace(/^~(?=[\\/]|$)/, () => homedir());
  return isFileUri(path) || isAbsolute(path) || /[$%{]/.test(path) ? path : resolve(join(from, path));
}
