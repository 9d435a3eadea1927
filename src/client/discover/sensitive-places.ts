import { join } from 'node:path';
import { lookAt } from '../../boundary/look/look-at.ts';
import { findDirectories } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';
import type { Platform } from '../../path/platform.ts';
import { separatorOf } from '../../path/split-path.ts';

/** A sensitive place as it is on this disk. */
export interface LocatedSensitive {
  readonly what: string;
  /** The path from the table. */
  readonly path: string;
  /** The real path; the path from the table if nothing is there. */
  readonly real: string;
  readonly exists: boolean;
  /** Whether Rootward itself keeps data there. */
  readonly isOwn: boolean;
}

/** The user whose sensitive places are meant. */
export interface PlacesOwner {
  readonly home: string;
  readonly platform: Platform;
  /** Directories that Rootward keeps for this user. */
  readonly own: readonly string[];
}

/** Resolves the places of the table: `~/.ssh` may be a link. */
export async function readPlaces({ home, platform, own }: PlacesOwner): Promise<readonly LocatedSensitive[]> {
  const ofRootward = own.map((path) => ({ path, what: 'Rootward keeps its own settings and records there' }));
  const [ours, others] = await Promise.all([
    Promise.all(ofRootward.map((place) => readPlace(place, true))),
    Promise.all(sensitivePlaces(home, platform).map((place) => readPlace(place, false))),
  ]);
  return [...ours, ...others];
}

async function readPlace({ path, what }: SensitivePlace, isOwn: boolean): Promise<LocatedSensitive> {
  const look = await lookAt(path);
  const exists = !('refused' in look) || look.refused === 'no-permission';
  return { what, path, real: 'refused' in look ? path : look.real, exists, isOwn };
}

/** Returns the sensitive place that contains a path, compared with both spellings of the place. */
export function findSensitive(
  real: string,
  places: readonly LocatedSensitive[],
  platform: Platform,
): LocatedSensitive | undefined {
  const isIn = (top: string): boolean => isInside(top, real, { platform });
  return places.find((place) => isIn(place.real) || (place.path !== place.real && isIn(place.path)));
}

/**
 * Returns the existing sensitive places within a path, without those inside another one. Places of Rootward count
 * before they exist: a server that could create them would control their content.
 */
export function sensitiveWithin(
  real: string,
  places: readonly LocatedSensitive[],
  platform: Platform,
): readonly LocatedSensitive[] {
  const within = places.filter(
    (place) => (place.exists || place.isOwn) && isInside(real, place.real, { platform }),
  );
  return within.filter(
    (place) =>
      !within.some((other) => other.real !== place.real && isInside(other.real, place.real, { platform })),
  );
}

/** A place whose content should not be shown to a server. */
export interface SensitivePlace {
  /** Absolute, or relative to the home directory. */
  readonly path: string;
  readonly what: string;
}

/** Relative to the home directory, on every platform, with `/` as separator. */
const homePlaces = [
  { path: '.ssh', what: 'it holds SSH keys' },
  { path: '.gnupg', what: 'it holds GnuPG keys' },
  { path: '.aws', what: 'it holds AWS credentials' },
  { path: '.azure', what: 'it holds Azure credentials' },
  { path: '.config/gcloud', what: 'it holds Google Cloud credentials' },
  { path: '.config/gh', what: 'it holds GitHub credentials' },
  { path: '.config/op', what: 'it holds 1Password data' },
  { path: '.kube', what: 'it holds Kubernetes credentials' },
  { path: '.docker', what: 'it holds Docker credentials' },
  { path: '.password-store', what: 'it holds passwords' },
  { path: '.local/share/keyrings', what: 'it holds passwords' },
  { path: '.netrc', what: 'it holds passwords' },
  { path: '.npmrc', what: 'it may hold npm credentials' },
  { path: '.pypirc', what: 'it may hold PyPI credentials' },
  { path: '.git-credentials', what: 'it holds Git credentials' },
  { path: '.pgpass', what: 'it holds PostgreSQL passwords' },
  { path: '.vault-token', what: 'it holds a Vault token' },
  { path: '.mozilla', what: 'it is a browser profile' },
  { path: '.config/google-chrome', what: 'it is a browser profile' },
  { path: '.config/chromium', what: 'it is a browser profile' },
  { path: 'Library/Keychains', what: 'it holds passwords' },
  { path: 'Library/Application Support/Google/Chrome', what: 'it is a browser profile' },
  { path: 'Library/Application Support/Firefox', what: 'it is a browser profile' },
  { path: 'Library/Cookies', what: 'it holds cookies' },
  { path: 'Library/Messages', what: 'it holds messages' },
  { path: 'Library/Mail', what: 'it holds mail' },
  { path: 'AppData/Roaming/gnupg', what: 'it holds GnuPG keys' },
  { path: 'AppData/Roaming/gcloud', what: 'it holds Google Cloud credentials' },
  { path: 'AppData/Roaming/Microsoft/Credentials', what: 'it holds passwords' },
  { path: 'AppData/Local/Microsoft/Credentials', what: 'it holds passwords' },
  { path: 'AppData/Local/Google/Chrome/User Data', what: 'it is a browser profile' },
  { path: 'AppData/Roaming/Mozilla', what: 'it is a browser profile' },
] as const satisfies readonly SensitivePlace[];

const ofSystem = 'it belongs to the system';

const systemPlaces: { readonly [Name in Platform]: readonly SensitivePlace[] } = {
  posix: [
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/lib',
    '/lib64',
    '/proc',
    '/root',
    '/run/secrets',
    '/sbin',
    '/sys',
    '/usr/bin',
    '/usr/lib',
    '/usr/libexec',
    '/usr/local/bin',
    '/usr/sbin',
    '/var/lib',
    '/var/log',
    '/var/run/secrets',
    '/System',
    '/Library',
    '/private/etc',
    '/private/var/db',
  ].map((path) => ({ path, what: ofSystem })),
  win32: ['C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'].map((path) => ({
    path,
    what: ofSystem,
  })),
};

/**
 * Returns every sensitive place for a user with this home directory. A system place that contains the home directory,
 * as `/root` does for root, is left out.
 */
export function sensitivePlaces(home: string, platform: Platform): readonly SensitivePlace[] {
  const separator = separatorOf(platform);
  const ofHome = homePlaces.map(({ path, what }) => ({
    path: [home, ...path.split('/')].join(separator),
    what,
  }));
  return [...ofHome, ...systemPlaces[platform].filter(({ path }) => !isInside(path, home, { platform }))];
}

/**
 * Returns the directories with Rootward's settings and records. Write access there would allow granting anything; read
 * access would reveal every root.
 */
export function ownPlaces(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  try {
    const { config, cache, log, state } = findDirectories(environment);
    return [...new Set([config, join(config, 'roots.jsonc'), cache, log, state])];
  } catch (error) {
    // `ROOTWARD_HOME` is not a valid path, so nothing is kept there.
    if (!RootwardError.is(error, 'INVALID_PATH')) throw error;
    return [];
  }
}
