import type { RefusedLook, PlaceLook } from '../../boundary/look/look-at.ts';
import type { MountPoint } from '../../boundary/system/mount-table.ts';
import { isInside } from '../../path/inside.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';
import type { Root } from '../../path/root.ts';

/**
 * Whether a root can be used. `returned`: it can again, after it could not, or another directory took its
 * place. `moved`: it is gone, and the same directory is there under another name. `unmounted`: what it was on
 * is no longer mounted, or does not answer.
 */
export type RootState = 'available' | 'returned' | 'missing' | 'moved' | 'unmounted' | 'no-permission';

/** What is known about one root. */
export interface RootStatus {
  readonly root: Root;
  readonly state: RootState;
  /** Whether it can be shown to a server: `available` or `returned`. */
  readonly usable: boolean;
  /** The state as the end of a sentence. */
  readonly reason: string;
  /** Where it is now, if it was moved. For the person who granted it: nothing follows it by itself. */
  readonly movedTo?: string;
  /** Names of files in it that reveal a project, the most telling first. */
  readonly markers: readonly string[];
}

/** What the last good look told. */
export interface RememberedPlace extends PlaceLook {
  readonly mount: MountPoint | undefined;
}

/** What one look told, and what was asked because of it. */
export interface RootObservation {
  readonly look: PlaceLook | RefusedLook;
  /** Without links as far as they are known. */
  readonly path: string;
  /** What the path lies on now. */
  readonly mount: MountPoint | undefined;
  /** Where else it was found. */
  readonly movedTo?: string | undefined;
}

export interface LivenessVerdict {
  readonly state: RootState;
  readonly reason: string;
  readonly movedTo?: string;
}

const reasons = {
  available: 'it is there',
  returned: 'it is there again',
  replaced: 'another directory has taken its place',
  missing: 'it does not exist',
  otherKind: 'something of another kind is in its place',
  moved: 'it has another name now',
  unmounted: 'what it lies on is not mounted',
  silent: 'what it lies on does not answer',
  'no-permission': 'the system does not permit to read it',
} as const;

/** Judges one look at a root by what was known of it before. */
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

/** Whether another directory is where one was. Editors replace a file whenever they save it: that is the same. */
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

/** The mount that it was on is gone, and nothing but an outer one is left; or it was never seen on one. */
function isUnmounted(before: RememberedPlace | undefined, { look, path, mount }: RootObservation): boolean {
  const isGone = 'refused' in look;
  if (before === undefined) return isGone && liesOnNoMount(path, mount);
  if (!isGone && look.identity === before.identity) return false;
  const { mount: known } = before;
  if (known === undefined || mount?.point === known.point) return false;
  return mount === undefined || isInside(mount.point, known.point, { platform: hostPlatform });
}

/** Where systems mount what people plug in or connect. What is missing there is hardly deleted. */
const mountHomes: { readonly [Name in Platform]: readonly string[] } = {
  posix: ['/media', '/run/media', '/mnt', '/Volumes'],
  win32: [],
};

/**
 * Whether a path that is not there would be on a mount that is not there: it lies where only mounts lie, and
 * on none of them; or on a drive that the system does not know.
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
