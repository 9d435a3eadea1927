import type { RefusedLook, PlaceLook } from '../../boundary/look/look-at.ts';
import type { MountPoint } from '../../boundary/system/mount-table.ts';
import { isInside } from '../../path/inside.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';
import type { Root } from '../../path/root.ts';

/**
 * Whether a root is usable. `returned`: it is usable again, or another directory took its place. `moved`: it is
 * gone, and the same directory exists under another name. `unmounted`: its file system is no longer mounted, or does
 * not answer.
 */
export type RootState = 'available' | 'returned' | 'missing' | 'moved' | 'unmounted' | 'no-permission';

/** The status of one root. */
export interface RootStatus {
  readonly root: Root;
  readonly state: RootState;
  /** Whether it can be shown to a server: `available` or `returned`. */
  readonly usable: boolean;
  /** The state, completing a sentence. */
  readonly reason: string;
  /** The new path, if it was moved. For information only: nothing follows it automatically. */
  readonly movedTo?: string;
  /** Names of marker files in it, the most significant first. */
  readonly markers: readonly string[];
}

/** The result of the last successful look. */
export interface RememberedPlace extends PlaceLook {
  readonly mount: MountPoint | undefined;
}

/** The result of one look, with facts gathered because of it. */
export interface RootObservation {
  readonly look: PlaceLook | RefusedLook;
  /** The real path, as far as it is known. */
  readonly path: string;
  /** The mount that the path is on now. */
  readonly mount: MountPoint | undefined;
  /** Its new path, if it was found elsewhere. */
  readonly movedTo?: string | undefined;
}

export interface LivenessVerdict {
  readonly state: RootState;
  readonly reason: string;
  readonly movedTo?: string;
}

const reasons = {
  available: 'it exists',
  returned: 'it exists again',
  replaced: 'another directory has taken its place',
  missing: 'it does not exist',
  otherKind: 'something of another kind is in its place',
  moved: 'it was renamed',
  unmounted: 'its file system is not mounted',
  silent: 'its file system does not answer',
  'no-permission': 'reading it is not permitted',
} as const;

/** Judges one look at a root by its last known state. */
export function judgeLiveness(
  before: RememberedPlace | undefined,
  was: LivenessVerdict | undefined,
  observation: RootObservation,
): LivenessVerdict {
  const { look, movedTo } = observation;
  const isOff = isUnmounted(before, observation);
  if ('refused' in look) {
    if (look.refused === 'no-permission') return verdict('no-permission');
    if (look.refused === 'silent') return { state: 'unmounted', reason: reasons.silent };
    if (isOff) return verdict('unmounted');
    return movedTo === undefined ? verdict('missing') : { ...verdict('moved'), movedTo };
  }
  if (isOff) return verdict('unmounted');
  if (before !== undefined && before.kind !== look.kind)
    return { state: 'missing', reason: reasons.otherKind };
  if (!look.readable) return verdict(isOrdinary(look) ? 'no-permission' : 'missing');
  return judgePresence(before, was, look);
}

function judgePresence(
  before: RememberedPlace | undefined,
  was: LivenessVerdict | undefined,
  look: PlaceLook,
): LivenessVerdict {
  if (was === undefined) return verdict('available');
  if (!isUsable(was.state)) return verdict('returned');
  if (isReplaced(before, look)) return { state: 'returned', reason: reasons.replaced };
  return { state: was.state, reason: was.reason };
}

/** Tells whether another directory has taken its place. A file that an editor replaces when saving stays the same. */
export function isReplaced(before: RememberedPlace | undefined, look: PlaceLook | RefusedLook): boolean {
  if (before === undefined || 'refused' in look) return false;
  return before.identity !== look.identity && look.kind === 'directory';
}

export function isUsable(state: RootState): boolean {
  return state === 'available' || state === 'returned';
}

function verdict(state: RootState): LivenessVerdict {
  return { state, reason: reasons[state] };
}

function isOrdinary({ kind }: PlaceLook): boolean {
  return kind === 'file' || kind === 'directory';
}

/** Tells whether its mount is gone and only an outer one is left, or whether it was never seen on a mount. */
function isUnmounted(before: RememberedPlace | undefined, { look, path, mount }: RootObservation): boolean {
  const isGone = 'refused' in look;
  if (before === undefined) return isGone && liesOnNoMount(path, mount);
  if (!isGone && look.identity === before.identity) return false;
  const { mount: known } = before;
  if (known === undefined || mount?.point === known.point) return false;
  return mount === undefined || isInside(mount.point, known.point, { platform: hostPlatform });
}

/** Directories for removable and network mounts. A path missing there is more likely unmounted than deleted. */
const mountHomes: { readonly [Name in Platform]: readonly string[] } = {
  posix: ['/media', '/run/media', '/mnt', '/Volumes'],
  win32: [],
};

/**
 * Tells whether a missing path is on a file system that is not mounted: below a mount directory but on none of its
 * mounts, or on an unknown drive.
 */
export function liesOnNoMount(
  path: string,
  mount: MountPoint | undefined,
  platform: Platform = hostPlatform,
): boolean {
  if (mount === undefined) return true;
  const beneath = (home: string, place: string): boolean =>
    isInside(home, place, { platform }) && !isInside(place, home, { platform });
  return mountHomes[platform].some((home) => beneath(home, path) && !beneath(home, mount.point));
}
