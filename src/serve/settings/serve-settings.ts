import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { isFileUri, parseFileUri } from '../../path/file-uri.ts';
import type { MergeMode } from '../../policy/merge.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import type { CliContext } from './process-context.ts';
import { findSettingOrigins, pointAt, type SettingOrigins } from './setting-origins.ts';
import { isPublic, parseServeAddress, parseServeHost } from './serve-address.ts';
import { given, loadServeConfig, type ServeConfig } from './serve-config.ts';
import { flagOf, type ServeFlags, type ServeOption, serveOptionList, serveOptions } from './serve-options.ts';
import { chooses, servePolicy } from './serve-policy.ts';
import { readServeVariables, type ServeVariables } from './serve-variables.ts';

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
  /** Files that were named to the command, with the flag for each: nobody else reaches them. */
  readonly ownFiles: readonly OwnFile[];
  /** Where what is said here was said, for whoever finds a mistake in it. */
  readonly settingOrigins: SettingOrigins;
}

/** A file of the server's own. */
export interface OwnFile {
  readonly path: string;
  readonly flag: string;
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
  const variables = readServeVariables(env);
  const named = directories.length > 0 ? { directories } : {};
  const here = absolutePaths({ ...variables, ...given(flags), ...named }, context.cwd);
  const file = here.config === undefined ? {} : await loadServeConfig(here.config);
  const settingOrigins = findSettingOrigins({ flags, variables, file, config: here.config });
  try {
    return refuseOpenDoors({ ...settle(here, file), ...secretsOf(env), settingOrigins });
  } catch (error) {
    throw pointAt(error, settingOrigins);
  }
}

function settle(here: ServeVariables, file: ServeConfig) {
  const said = { ...absolutePaths(file, dirname(here.config ?? '')), ...here };
  return {
    ...placesOf(said),
    store: usesStore(said),
    server: said.server ?? 'rootward',
    merge: said.merge,
    policy: servePolicy(here, file.policy),
    limited: here.readOnly === true || chooses(file.policy),
    oneFilesystem: said.oneFilesystem ?? false,
    debug: said.debug ?? false,
    allowUnconfinedShell: said.allowUnconfinedShell ?? false,
    shell: shellOf(said),
    ownFiles: ownFilesOf(said),
  } satisfies Partial<ServeSettings>;
}

type GivenSettings = ServeVariables;

/** The table of options knows which of them name such a file; a socket is one, too. */
function ownFilesOf(said: GivenSettings): readonly OwnFile[] {
  const named = serveOptionList.flatMap(([name, { kind }]) => {
    const path = kind === 'file' ? (said as Readonly<Record<string, unknown>>)[name] : undefined;
    return typeof path === 'string' ? [{ path, flag: flagOf(name) }] : [];
  });
  const http = httpOf(said);
  const socket = http?.startsWith('unix:') === true ? parseServeAddress(http).socket : undefined;
  return socket === undefined ? named : [...named, { path: socket, flag: '--http' }];
}

/** What is found on the disk, and what is reached over the network. */
function placesOf(said: GivenSettings) {
  return {
    directories: said.directories,
    project: said.project,
    markers: said.marker,
    logFile: said.logFile,
    http: httpOf(said),
    hosts: (said.host ?? []).map(parseServeHost),
    origins: said.origin ?? [],
    tokenFile: said.tokenFile,
    sessions: said.sessions,
    sessionsPrefix: said.sessionsPrefix,
    sealingKeyFile: said.sealingKeyFile,
    workers: said.workers,
  } satisfies Partial<ServeSettings>;
}

/** A word for no goes before the address in a file. */
function httpOf({ http }: GivenSettings): string | undefined {
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

function shellOf(said: GivenSettings): ShellSettings {
  return Object.fromEntries(Object.entries(said).filter(([name]) => name.startsWith('shell')));
}

/** Over HTTP only who says so; otherwise everybody who names nothing else. */
function usesStore(said: GivenSettings): boolean {
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

/**
 * The same settings, with every path from a directory on. `~` is the person's home, and a file URI is a path: that
 * of a directory to be reached is read later, with all that may be wrong with it.
 *
 * @throws {RootwardError} `INVALID_URI`
 */
export function absolutePaths<Said extends object>(said: Said, directory: string): Said {
  const entries = Object.entries(said).map(([name, value]) => {
    const from = (text: string): string => absolute(isGranted(name) ? text : toPath(text), directory);
    if (!isGranted(name) && !isPath(name)) return [name, value];
    return [name, typeof value === 'string' ? from(value) : (value as readonly string[]).map(from)];
  });
  return Object.fromEntries(entries) as Said;
}

function isGranted(name: string): boolean {
  return name === 'directories' || name === 'project';
}

function isPath(name: string): boolean {
  const { kind } = (serveOptions as Readonly<Record<string, ServeOption>>)[name] ?? {};
  return kind === 'path' || kind === 'paths' || kind === 'file';
}

function toPath(text: string): string {
  return isFileUri(text) ? parseFileUri(text) : text;
}

/** Placeholders that nobody filled in stay as they are, to be refused by name. */
function absolute(text: string, from: string): string {
  const path = text.replace(/^~(?=[\\/]|$)/, () => homedir());
  return isFileUri(path) || isAbsolute(path) || /[$%{]/.test(path) ? path : resolve(join(from, path));
}
