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
  /** As the table has it. */
  readonly path: string;
  /** Without links; as the table has it where nothing is there. */
  readonly real: string;
  readonly exists: boolean;
  /** Whether Rootward itself keeps something there. */
  readonly isOwn: boolean;
}

/** Somebody whose places these are. */
export interface PlacesOwner {
  readonly home: string;
  readonly platform: Platform;
  /** What Rootward keeps for them. */
  readonly own: readonly string[];
}

/** Where the places of the table really are: somebody may keep `~/.ssh` elsewhere, behind a link. */
export async function readPlaces({ home, platform, own }: PlacesOwner): Promise<readonly LocatedSensitive[]> {
  const ofRootward = own.map((path) => ({ path, what: 'Rootward keeps there what it decides by' }));
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

/** The sensitive place that a path is or lies in, by both spellings of that place. */
export function findSensitive(
  real: string,
  places: readonly LocatedSensitive[],
  platform: Platform,
): LocatedSensitive | undefined {
  const isIn = (top: string): boolean => isInside(top, real, { platform });
  return places.find((place) => isIn(place.real) || (place.path !== place.real && isIn(place.path)));
}

/**
 * Sensitive places within a path, those that exist, without those in another one. Places of Rootward count before
 * they are made: a server that could make them would decide what is in them.
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

/** A place whose content nobody means to show to a server. */
export interface SensitivePlace {
  /** Absolute, or beneath the home directory. */
  readonly path: string;
  readonly what: string;
}

/** Beneath the home directory, on every system, with `/` between names. */
const homePlaces = [
  { path: '.ssh', what: 'it holds keys of SSH' },
  { path: '.gnupg', what: 'it holds keys of GnuPG' },
  { path: '.aws', what: 'it holds credentials of AWS' },
  { path: '.azure', what: 'it holds credentials of Azure' },
  { path: '.config/gcloud', what: 'it holds credentials of Google Cloud' },
  { path: '.config/gh', what: 'it holds credentials of GitHub' },
  { path: '.config/op', what: 'it holds data of 1Password' },
  { path: '.kube', what: 'it holds credentials of Kubernetes' },
  { path: '.docker', what: 'it holds credentials of Docker' },
  { path: '.password-store', what: 'it holds passwords' },
  { path: '.local/share/keyrings', what: 'it holds passwords' },
  { path: '.netrc', what: 'it holds passwords' },
  { path: '.npmrc', what: 'it may hold credentials of npm' },
  { path: '.pypirc', what: 'it may hold credentials of PyPI' },
  { path: '.git-credentials', what: 'it holds credentials of Git' },
  { path: '.pgpass', what: 'it holds passwords of PostgreSQL' },
  { path: '.vault-token', what: 'it holds a token of Vault' },
  { path: '.mozilla', what: 'it is the profile of a browser' },
  { path: '.config/google-chrome', what: 'it is the profile of a browser' },
  { path: '.config/chromium', what: 'it is the profile of a browser' },
  { path: 'Library/Keychains', what: 'it holds passwords' },
  { path: 'Library/Application Support/Google/Chrome', what: 'it is the profile of a browser' },
  { path: 'Library/Application Support/Firefox', what: 'it is the profile of a browser' },
  { path: 'Library/Cookies', what: 'it holds cookies' },
  { path: 'Library/Messages', what: 'it holds messages' },
  { path: 'Library/Mail', what: 'it holds mail' },
  { path: 'AppData/Roaming/gnupg', what: 'it holds keys of GnuPG' },
  { path: 'AppData/Roaming/gcloud', what: 'it holds credentials of Google Cloud' },
  { path: 'AppData/Roaming/Microsoft/Credentials', what: 'it holds passwords' },
  { path: 'AppData/Local/Microsoft/Credentials', what: 'it holds passwords' },
  { path: 'AppData/Local/Google/Chrome/User Data', what: 'it is the profile of a browser' },
  { path: 'AppData/Roaming/Mozilla', what: 'it is the profile of a browser' },
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
 * Every place that is not for sharing, for somebody with this home directory. A home directory that lies in one
 * of the system's own places, as that of root does, takes that place off the list.
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
 * Where Rootward keeps what it decides by, and what happened. Who could write there would grant themselves
 * anything; who could read there would know every root.
 */
export function ownPlaces(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  try {
    const { config, cache, log, state } = findDirectories(environment);
    return [...new Set([config, join(config, 'roots.jsonc'), cache, log, state])];
  } catch (error) {
    // `ROOTWARD_HOME` that is no place: nothing is kept there.
    if (!RootwardError.is(error, 'INVALID_PATH')) throw error;
    return [];
  }
}
