import { basename, dirname } from 'node:path';
import { quote } from '../../base/quote.ts';
import type { Project } from '../project/project.ts';
import type { RootSource } from '../sources/root-source.ts';
import type { ChainContext } from './chain-context.ts';
import { findDanger } from './danger.ts';
import type { UsablePlace } from './judge-place.ts';

/** Finds the project at a place, or upward from it; returns a reason if there is none. */
export async function projectAt(
  context: ChainContext,
  source: RootSource,
  place: UsablePlace,
): Promise<Project | string> {
  const upward = source.upward === true;
  const project = await (upward ? findAbove : describeHere)(context, source, place);
  if (typeof project === 'string' || !context.preset.nameByPath) return project;
  const named = upward ? project.location : place.path;
  return { ...project, name: basename(named) || named };
}

/** A file stands for its directory, which is not read if only the file is allowed. */
async function describeHere(
  { judge: { disk, bound } }: ChainContext,
  source: RootSource,
  { path: place, kind }: UsablePlace,
): Promise<Project> {
  if (kind !== 'file') return disk.describe(place);
  const path = dirname(place);
  if (bound?.binds(source) !== true) return disk.describe(path);
  const top = await bound.topOf({ path, real: await disk.realPath(path) });
  if (top !== undefined) return disk.describe(path);
  const { describeByText } = await import('../project/describe-project.ts');
  return describeByText(path);
}

/** Searches upward, but not above the allowed roots. */
async function findAbove(
  { judge, preset, markers, levels, signal }: ChainContext,
  source: RootSource,
  place: UsablePlace,
): Promise<Project | string> {
  const { disk } = judge;
  const bound = judge.bound?.binds(source) === true ? judge.bound : undefined;
  const stopAt = await bound?.topOf(place);
  const start = place.kind === 'file' ? dirname(place.path) : place.path;
  const project = await disk.detect(start, {
    markers,
    levels,
    markerOnly: preset.markerOnly,
    ...(stopAt === undefined ? {} : { stopAt }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (project === undefined)
    return stopAt === undefined
      ? `no project within ${levels} levels above it`
      : 'no project above it within what is allowed';
  const found = { path: project.location, real: await disk.realPath(project.location) };
  if (bound !== undefined && (await bound.topOf(found)) === undefined)
    return 'what was found above it is outside of what is allowed';
  // A repository in the home directory holds settings, not a project.
  const dangers = [found.path, found.real].map((path) => judge.guard && findDanger(path, judge.around));
  const [danger] = dangers.flatMap((finding) => finding || []);
  return danger === undefined ? project : `${quote(project.location)} was found, but ${danger.reason}`;
}
