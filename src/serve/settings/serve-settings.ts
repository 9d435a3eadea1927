import { dirname, isAbsolute, join, resolve } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { isFileUri, parseFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import type { CliContext } from './process-context.ts';
import { findSettingOrigins, pointAt, type SettingOrigins } from './setting-origins.ts';
import { isPublic, parseServeAddress, parseServeHost } from './serve-address.ts';
import { dropUndefined, loadServeConfig, type ServeConfig } from './serve-config.ts';
import { flagOf, type ServeFlags, type ServeOption, serveOptionList, serveOptions } from './serve-options.ts';
import { chooses, servePolicy } from './serve-policy.ts';
import { readServeVariables, type ServeVariables } from './serve-variables.ts';

/** Options that other settings are computed from. All others are settings by their own name. */
const computed = [
  'readOnly',
  'allow',
  'deny',
  'config',
  'marker',
  'http',
  'host',
  'origin',
  'store',
  'server',
] as const;

type PlainOption = Exclude<keyof ServeFlags, (typeof computed)[number] | keyof ShellSettings>;

/** Each of the other options, as it was given; a switch is off unless it was given. */
type PlainSettings = {
  readonly [Name in PlainOption]: (typeof serveOptions)[Name]['kind'] extends 'switch'
    ? boolean
    : ServeFlags[Name] | undefined;
};

/** The settings of the command from all sources: a flag beats a variable, a variable beats the file. */
export interface ServeSettings extends PlainSettings {
  readonly directories: readonly string[] | undefined;
  readonly policy: PolicyConfig;
  /** Whether the policy is an upper limit for stored roots as well. */
  readonly limited: boolean;
  readonly markers: readonly string[] | undefined;
  readonly http: string | undefined;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly token: string | undefined;
  readonly sessionsPassword: string | undefined;
  /** The keys that nodes share, unless a file holds them. */
  readonly sealingKey: string | undefined;
  /** The limits of command lines. */
  readonly shell: ShellSettings;
  /** Whether the stored roots are the ones that can be reached. */
  readonly store: boolean;
  /** The name of this server in the root store. */
  readonly server: string;
  /** Files named on the command line, with their flags. No client can reach them. */
  readonly ownFiles: readonly OwnFile[];
  /** The origin of each setting, for error messages. */
  readonly settingOrigins: SettingOrigins;
}

/** A file of the server itself. */
export interface OwnFile {
  readonly path: string;
  readonly flag: string;
}

/** The settings of the shell tool. */
export type ShellSettings = Pick<ServeFlags, Extract<keyof ServeFlags, `shell${string}`>>;

/**
 * Combines flags, variables and the file. All paths become absolute: those of flags and variables start at the
 * current directory, those of the file at the file. `~` is the home directory everywhere, because a client starts
 * a server without a shell.
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
  const here = absolutePaths({ ...variables, ...dropUndefined(flags), ...named }, context.cwd);
  const file = here.config === undefined ? {} : await loadServeConfig(here.config);
  const settingOrigins = findSettingOrigins({ flags, variables, file, config: here.config });
  try {
    return refuseOpenDoors({ ...settle(here, file), ...secretsOf(env), settingOrigins });
  } catch (error) {
    throw pointAt(error, settingOrigins);
  }
}

function settle(here: ServeVariables, file: ServeConfig) {
  const settings = { ...absolutePaths(file, dirname(here.config ?? '')), ...here };
  return {
    ...plainSettings(settings),
    directories: settings.directories,
    markers: settings.marker,
    http: httpOf(settings),
    hosts: (settings.host ?? []).map(parseServeHost),
    origins: settings.origin ?? [],
    store: usesStore(settings),
    server: settings.server ?? 'rootward',
    policy: servePolicy(here, file.policy),
    limited: here.readOnly === true || chooses(file.policy),
    shell: shellOf(settings),
    ownFiles: ownFilesOf(settings),
  } satisfies Partial<ServeSettings>;
}

type GivenSettings = ServeVariables;

/** The files named by options of kind `file`, and a socket. */
function ownFilesOf(settings: GivenSettings): readonly OwnFile[] {
  const named = serveOptionList.flatMap(([name, { kind }]) => {
    const path = kind === 'file' ? (settings as Readonly<Record<string, unknown>>)[name] : undefined;
    return typeof path === 'string' ? [{ path, flag: flagOf(name) }] : [];
  });
  const http = httpOf(settings);
  const socket = http?.startsWith('unix:') === true ? parseServeAddress(http).socket : undefined;
  return socket === undefined ? named : [...named, { path: socket, flag: '--http' }];
}

function plainSettings(settings: GivenSettings): PlainSettings {
  const values: Readonly<Record<string, unknown>> = settings;
  const names: readonly string[] = computed;
  const plain = serveOptionList
    .filter(([name]) => !names.includes(name) && !name.startsWith('shell'))
    .map(([name, { kind }]) => [name, values[name] ?? (kind === 'switch' ? false : undefined)]);
  return Object.fromEntries(plain) as PlainSettings;
}

/** A variable that says no beats the address in a file. */
function httpOf({ http }: GivenSettings): string | undefined {
  return http === false ? undefined : http;
}

/** Secrets come from the environment only, because other users can read a command line. */
function secretsOf(env: Readonly<Record<string, string | undefined>>) {
  return {
    token: env['ROOTWARD_TOKEN'] || undefined,
    sessionsPassword: env['ROOTWARD_SESSIONS_PASSWORD'] || undefined,
    sealingKey: env['ROOTWARD_SEALING_KEY'] || undefined,
  } satisfies Partial<ServeSettings>;
}

function shellOf(settings: GivenSettings): ShellSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('shell')));
}

/** Whether to use the root store: over HTTP only if requested, otherwise unless other places were named. */
function usesStore(settings: GivenSettings): boolean {
  const isFree = settings.directories === undefined && settings.project === undefined;
  if (settings.store === true && !isFree) {
    const reason = 'directories or a project are named already';
    throw new RootwardError('INVALID_CONFIG', { where: '--store', reason });
  }
  return isFree && (settings.store ?? httpOf(settings) === undefined);
}

/** Refuses settings under which a remote client could name any directory of this machine and get it. */
function refuseOpenDoors(settings: ServeSettings): ServeSettings {
  const { http, hosts, merge } = settings;
  const widens = merge === 'union' || merge === 'client';
  if (http === undefined || !widens || !isPublic(parseServeAddress(http), hosts)) return settings;
  const reason = `${merge} lets clients name what is reached, and others than this machine can call; listen on loopback, or take intersect or operator`;
  throw new RootwardError('INVALID_CONFIG', { where: '--merge', reason });
}

/**
 * Makes every path absolute. `~` is the home directory, and a file URI becomes a path. The URI of a served
 * directory is read later, with all of its checks.
 *
 * @throws {RootwardError} `INVALID_URI`
 */
export function absolutePaths<Settings extends object>(settings: Settings, directory: string): Settings {
  const entries = Object.entries(settings).map(([name, value]) => {
    const from = (text: string): string => absolute(isGranted(name) ? text : toPath(text), directory);
    if (!isGranted(name) && !isPath(name)) return [name, value];
    return [name, typeof value === 'string' ? from(value) : (value as readonly string[]).map(from)];
  });
  return Object.fromEntries(entries) as Settings;
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

/** Unfilled placeholders stay, to be refused by name later. */
function absolute(text: string, from: string): string {
  const path = expandHome(text);
  return isFileUri(path) || isAbsolute(path) || /[$%{]/.test(path) ? path : resolve(join(from, path));
}
