import { delimiter } from 'node:path';
import { systemPlaces } from '../boundary/process/sandbox-arguments.ts';
import { isInside } from '../path/inside.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
  readonly confined: boolean;
  /** Names that the operator passes on, beyond the few that are harmless. */
  readonly pass: readonly string[];
  /** Directories that the sandbox shows in addition. */
  readonly readable: readonly string[];
}

/** How text and time are written. Nothing in them is secret, and programs misbehave without. */
const harmless = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ'] as const;

/** What a program needs to find its own things, where nothing hides those from it. */
const ownPlaces = {
  posix: ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
  win32: 'Path PATH PATHEXT SystemRoot SystemDrive ComSpec windir TEMP TMP USERPROFILE APPDATA LOCALAPPDATA'
    .concat(' ProgramFiles ProgramData')
    .split(' '),
} as const;

/** No colours and no pagers: nobody sits at a terminal. */
const plainOutput = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat' } as const;

const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const;

/** The environment of a command line: a short list out of ours, and never the rest. */
export function shellEnvironment(
  source: Environment,
  { confined, pass, readable }: EnvironmentOptions,
): Readonly<Record<string, string>> {
  const platform = process.platform === 'win32' ? 'win32' : 'posix';
  const names = [...harmless, ...(confined ? [] : ownPlaces[platform]), ...pass];
  const passed = Object.fromEntries(
    names
      .map((name) => [name, source[name]] as const)
      .filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (!confined) return { ...passed, ...plainOutput };
  const places = { PATH: visiblePath(source['PATH'], readable), HOME: '/tmp', TMPDIR: '/tmp' };
  return { ...places, ...passed, ...plainOutput };
}

/** Only what is there in the sandbox. */
function visiblePath(path: string | undefined, readable: readonly string[]): string {
  const shown = [...systemPlaces, ...readable];
  const own = (path ?? '')
    .split(delimiter)
    .filter((directory) => shown.some((place) => isInside(place, directory)));
  return [...new Set([...own, ...systemPath])].join(delimiter);
}
