import { dirname, join } from 'node:path';
import { isInside } from '../../path/inside.ts';
import type { Platform } from '../../path/platform.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Project } from '../project/project.ts';
import { allSources, type NamedSource } from '../sources/all-sources.ts';
import type { Profile } from '../sources/profile.ts';
import type { OfferedPlace, Signals } from '../sources/root-source.ts';
import { lower, type Trust } from '../sources/trust.ts';
import type { ChainContext } from './chain-context.ts';
import { judgePlace, type UsablePlace } from './judge-place.ts';
import { projectAt } from './project-at.ts';

/** The result of the source that was chosen. */
export interface ChosenSource {
  readonly source: NamedSource;
  readonly project: Project;
  readonly confidence: Trust;
  /** All usable places that the source named, including the project's own. */
  readonly places: readonly UsablePlace[];
  /** Those that can be the project. */
  readonly candidates: readonly UsablePlace[];
  /** Several places were named, and no signal told them apart. */
  readonly arbitrary: boolean;
}

export interface TriedSource {
  readonly chosen: ChosenSource | undefined;
  /** A place that was named but lacks the marker that the preset requires. */
  readonly unmarked: string | undefined;
  /** The reason, worded as the end of a sentence. */
  readonly reason: string;
  readonly issues: readonly RootIssue[];
}

/** Judges the places of one source, and finds the project. */
export async function trySource(
  context: ChainContext,
  source: NamedSource,
  offered: readonly OfferedPlace[],
): Promise<TriedSource> {
  const judged = await Promise.all(offered.map((place) => judgePlace(context.judge, source, place)));
  const issues = judged.flatMap((one) => one.issues);
  const usable = judged.flatMap(({ place }) => (place === undefined ? [] : [place]));
  const [first, ...others] = usable;
  const refused = { chosen: undefined, unmarked: undefined, issues };
  if (first === undefined) return { ...refused, reason: judged.map(({ refusal }) => refusal).join('; ') };
  // The keys and variables of a client are ordered: a later one counts only if the earlier ones name nothing.
  const places = [first, ...others.filter(({ via }) => via === first.via)] as const;
  const candidates = candidatesAmong(context, places);
  const primary = await chooseAmong(context, candidates);
  const directory = primary.place.kind === 'file' ? dirname(primary.place.path) : primary.place.path;
  if (context.preset.markerRequired && source.upward !== true && !(await hasMarker(context, directory))) {
    return { ...refused, unmarked: directory, reason: `it has no ${context.markers.join(' or ')}` };
  }
  const project = await projectAt(context, source, primary.place);
  if (typeof project === 'string') return { ...refused, reason: project };
  const confidence = confidenceIn(context, source, primary);
  const chosen = { source, project, confidence, places, candidates, arbitrary: primary.arbitrary };
  const note = offered.length === 1 ? offered[0]?.note : undefined;
  return { chosen, unmarked: undefined, reason: reasonFor(chosen, note ?? primary.reason), issues };
}

type UsablePlaces = readonly [UsablePlace, ...UsablePlace[]];

/** A file that stands among directories is a root, but not the project. */
function candidatesAmong({ preset }: ChainContext, places: UsablePlaces): UsablePlaces {
  const [first, ...others] = places.filter(({ kind }) => kind !== 'file');
  return preset.firstOnly || first === undefined ? places : [first, ...others];
}

/** Where no signal tells several places apart, the one that a person chose before counts. */
async function chooseAmong(context: ChainContext, places: UsablePlaces): Promise<PrimaryPlace> {
  const primary = primaryOf(context, places);
  if (!primary.arbitrary || context.choose === undefined) return primary;
  const path = await context.choose(places.map((place) => place.path));
  const place = places.find((one) => one.path === path);
  return place === undefined ? primary : { place, reason: 'a person chose it', arbitrary: false };
}

function primaryOf({ preset, signals, profile, judge }: ChainContext, places: UsablePlaces): PrimaryPlace {
  return preset.firstOnly
    ? { place: places[0], reason: 'it is the first', arbitrary: false }
    : choosePrimary(places, signals, profile, judge.around.platform);
}

async function hasMarker({ markers, judge }: ChainContext, directory: string): Promise<boolean> {
  for (const marker of markers) {
    if ((await judge.disk.kindOf(join(directory, marker))) !== undefined) return true;
  }
  return false;
}

/** In a process shared by several windows, guesses only describe the window that started it. */
function confidenceIn(
  { profile }: ChainContext,
  source: NamedSource,
  { place, arbitrary }: PrimaryPlace,
): Trust {
  if (arbitrary) return 'guessed';
  const shared = profile?.quirks?.includes('shared-process') === true && !source.explicit;
  return shared ? lower(place.trust, 'weak') : place.trust;
}

function reasonFor({ source, project }: ChosenSource, reason: string): string {
  return source.upward === true ? `found ${project.markers[0] ?? 'it'} going up` : reason;
}

export interface PrimaryPlace {
  readonly place: UsablePlace;
  /** The reason for this choice, worded as the end of a sentence. */
  readonly reason: string;
  /** No signal told it from the others: it is merely the first. */
  readonly arbitrary: boolean;
}

/**
 * Chooses among several roots: the one that a variable of the client names, else the one that contains the
 * current directory, else the first.
 */
export function choosePrimary(
  places: readonly [UsablePlace, ...UsablePlace[]],
  signals: Signals,
  profile: Profile | undefined,
  platform: Platform,
): PrimaryPlace {
  const [first, ...others] = places;
  if (others.length === 0) return { place: first, reason: 'it is the only one', arbitrary: false };
  const byEnv = placesNamedBy(signals, profile, places, platform);
  if (byEnv !== undefined)
    return { place: byEnv, reason: 'a variable of the client names it', arbitrary: false };
  const holding = places.filter(
    ({ path }) => signals.cwd !== undefined && isInside(path, signals.cwd, { platform }),
  );
  const [deepest] = holding.toSorted((one, other) => other.path.length - one.path.length);
  if (deepest !== undefined)
    return { place: deepest, reason: 'it holds the current directory', arbitrary: false };
  return { place: first, reason: `it is the first of ${places.length}`, arbitrary: true };
}

function placesNamedBy(
  signals: Signals,
  profile: Profile | undefined,
  places: readonly UsablePlace[],
  platform: Platform,
): UsablePlace | undefined {
  const offer = allSources['client-env'].offer(signals, profile);
  if ('none' in offer || offer.places.length !== 1) return undefined;
  const named = offer.places[0]?.text ?? '';
  return places.find(
    ({ path }) => isInside(path, named, { platform }) && isInside(named, path, { platform }),
  );
}
