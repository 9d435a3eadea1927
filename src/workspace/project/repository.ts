import { dirname, join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { markers } from '../ecosystems/markers.ts';
import type { Marker } from '../ecosystems/record/ecosystem.ts';
import { followGitPointer, readGitHead, type RepositoryData } from './git-pointer.ts';
import { openPlace, realPathOf } from './open-place.ts';

/** The top of a directory under version control. */
export interface Repository extends RepositoryData {
  /** The directory that contains the marker: a real path. */
  readonly top: string;
  /** `.git`, `.jj`, `.hg` or `.svn`. */
  readonly marker: string;
}

const repositoryMarkers: readonly Marker[] = markers.filter(({ kind }) => kind === 'repository');

/**
 * Detects the repository whose top is this directory. Follows a `.git` file to read the few small files that
 * distinguish a worktree from a submodule; reads nothing else there, and runs nothing.
 *
 * Worktrees are understood for Git alone: a second workspace of Jujutsu, or a share of Mercurial, counts as a
 * repository of its own.
 *
 * @example
 * ```ts
 * (await detectRepository(process.cwd())).marker // → '.git'
 * await detectRepository('/nowhere') // → undefined
 * ```
 */
export async function detectRepository(directory: string): Promise<Repository | undefined> {
  await using here = await openPlace(directory);
  if (here?.kind !== 'directory') return undefined;
  const top = realPathOf(here);
  for (const marker of repositoryMarkers) {
    if (await leadsOut(here, marker.file)) return { top, marker: marker.file, ...describeLink(top, marker) };
    await using place = await openPlace(join(top, marker.file));
    if (place === undefined || (place.kind === 'file' && marker.shape === 'directory')) continue;
    const data = place.kind === 'file' ? followGitPointer(top, place) : describeOwn(top, marker, place);
    return { top, marker: marker.file, ...(await data) };
  }
  return undefined;
}

/**
 * Detects the repository around a directory, however far up its top is: a project's repository does not
 * depend on how far a search went.
 *
 * @example
 * ```ts
 * (await detectEnclosingRepository(`${process.cwd()}/src/workspace`)).top === process.cwd() // → true
 * ```
 */
export async function detectEnclosingRepository(directory: string): Promise<Repository | undefined> {
  for (let path = directory; ; path = dirname(path)) {
    const repository = await detectRepository(path);
    if (repository !== undefined || dirname(path) === path) return repository;
  }
}

/**
 * Whether a marker is a link that leads out of its directory. Its target is not looked at: otherwise the id of a
 * project would tell which places exist elsewhere on this machine.
 */
async function leadsOut(directory: Boundary, name: string): Promise<boolean> {
  try {
    await directory.stat(name);
    return false;
  } catch (error) {
    if (RootwardError.is(error)) return error.code === 'OUTSIDE_ROOTS';
    throw error;
  }
}

function describeLink(top: string, { file }: Marker): RepositoryData {
  const own = join(top, file);
  return { kind: 'repository', commonDirectory: own, identity: own };
}

async function describeOwn(top: string, marker: Marker, place: Boundary): Promise<RepositoryData> {
  const commonDirectory = realPathOf(place);
  const { issue } = marker.ecosystem === 'git' ? await readGitHead(place) : {};
  const data = { kind: 'repository', commonDirectory, identity: join(top, marker.file) } as const;
  return issue === undefined ? data : { ...data, issue };
}
