import { dirname, join } from 'node:path';
import { answerWithin } from '../../base/wait.ts';
import { findByIdentity, lookAt, type RefusedLook, type PlaceLook } from '../../boundary/look/look-at.ts';
import { type MountTable, readMountTable } from '../../boundary/system/mount-table.ts';
import { findMarkers } from '../../workspace/project/find-markers.ts';
import { openPlace } from '../../workspace/project/open-place.ts';
import type { RootObservation, RememberedPlace } from './liveness.ts';

export interface ObserveOptions {
  readonly mounts: Pick<WatchMounts, 'read'>;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Looks at a root. If it is gone, also looks at its mount and at its parent directory. */
export async function observeRoot(
  path: string,
  before: RememberedPlace | undefined,
  { mounts, milliseconds, signal }: ObserveOptions,
): Promise<RootObservation> {
  const look = await lookAt(path, { milliseconds });
  const place = 'refused' in look ? (before?.real ?? path) : look.real;
  // A file system that does not answer is not asked again.
  if (isSilent(look)) return { look, path: place, mount: before?.mount };
  const asked = ask(look, before, { place, mounts, signal });
  const answer = await answerWithin(asked, milliseconds);
  return { look, path: place, mount: before?.mount, ...answer };
}

interface PlaceQuestion extends Pick<ObserveOptions, 'mounts' | 'signal'> {
  readonly place: string;
}

async function ask(
  look: PlaceLook | RefusedLook,
  before: RememberedPlace | undefined,
  { place, mounts, signal }: PlaceQuestion,
): Promise<Pick<RootObservation, 'mount' | 'movedTo'>> {
  // Something may have been unmounted just now.
  const isOther = before !== undefined && ('refused' in look || look.identity !== before.identity);
  const mount = await (await mounts.read(isOther)).mountOf(place);
  const movedTo = isMissing(look) && before !== undefined ? await findMoved(before, signal) : undefined;
  return { mount, movedTo };
}

function isSilent(look: PlaceLook | RefusedLook): boolean {
  return 'refused' in look && look.refused === 'silent';
}

function isMissing(look: PlaceLook | RefusedLook): boolean {
  return 'refused' in look && look.refused === 'missing';
}

/** Searches only the same parent, because a search elsewhere would be unbounded. */
async function findMoved(
  { real, identity }: RememberedPlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const parent = dirname(real);
  const name = await findByIdentity(parent, identity, { signal });
  return name === undefined ? undefined : join(parent, name);
}

/** Returns the names of marker files in a directory; none for a file. */
export async function listMarkers(path: string, signal: AbortSignal): Promise<readonly string[]> {
  await using boundary = await openPlace(path);
  if (boundary?.kind !== 'directory') return [];
  const { known } = await findMarkers(boundary, { signal });
  return known.map(({ name }) => name);
}

/** The mount table, read once for many callers, and again when it may be stale. */
export class WatchMounts {
  readonly #load: () => Promise<MountTable>;
  #table: Promise<MountTable> | undefined;
  #checked: string | undefined;

  constructor(load: () => Promise<MountTable> = () => readMountTable()) {
    this.#load = load;
  }

  read(fresh: boolean): Promise<MountTable> {
    if (fresh || this.#table === undefined) this.#table = this.#load();
    return this.#table;
  }

  /** Returns the table if it changed since the last call; always on systems without a revision. */
  async readChanged(): Promise<MountTable | undefined> {
    const table = await this.read(true);
    if (table.revision !== undefined && table.revision === this.#checked) return undefined;
    this.#checked = table.revision;
    return table;
  }
}
