import { basename, dirname, join } from 'node:path';
import type { RootIssue } from '../path/root-issue.ts';
import { quote } from '../quote.ts';
import type { ChainContext } from './chain-context.ts';
import { choosePrimary, type Primary } from './choose-primary.ts';
import { findDanger } from './guard.ts';
import { judgePlace, type UsablePlace } from './judge-place.ts';
import type { Project } from './project.ts';
import type { TrailStep } from './resolution.ts';
import type { OfferedPlace, RootSource } from './root-source.ts';
import { lower, type Trust } from './trust.ts';

/** What the source that was chosen came to. */
export interface Choice {
  readonly source: RootSource;
  readonly project: Project;
  readonly confidence: Trust;
  /** Every usable place that the source named, the project's own among them. */
  readonly places: readonly UsablePlace[];
  /** Several were named, and nothing told them apart. */
  readonly arbitrary: boolean;
}

export interface ChainResult {
  readonly choice: Choice | undefined;
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /** A place that was named but does not carry the marker that the preset demands. */
  readonly unmarked: string | undefined;
}

/** Asks the sources in turn until one names a project that can be used; notes what the others would have said. */
export async function runChain(context: ChainContext): Promise<ChainResult> {
  const trail: TrailStep[] = [];
  const issues: RootIssue[] = [];
  let choice: Choice | undefined;
  let unmarked: string | undefined;
  let settled = false;
  for (const source of context.chain) {
    const offer = source.offer(context.signals, context.profile);
    const places = 'none' in offer ? [] : offer.places;
    const note = (outcome: TrailStep['outcome'], reason: string): void => {
      trail.push({ source: source.name, outcome, offered: places.map(({ text }) => text), reason });
    };
    if ('none' in offer) note('absent', offer.none);
    else if (settled) note('passed', 'an earlier source settled it');
    else {
      const tried = await trySource(context, source, places);
      issues.push(...tried.issues);
      ({ choice, unmarked } = tried);
      note(choice === undefined ? 'refused' : 'chosen', tried.reason);
      settled = choice !== undefined || unmarked !== undefined || source.final === true;
    }
  }
  return { choice, trail, issues, unmarked };
}

interface Tried {
  readonly choice: Choice | undefined;
  readonly unmarked: string | undefined;
  readonly reason: string;
  readonly issues: readonly RootIssue[];
}

async function trySource(
  context: ChainContext,
  source: RootSource,
  offered: readonly OfferedPlace[],
): Promise<Tried> {
  const judged = await Promise.all(offered.map((place) => judgePlace(context.judge, source, place)));
  const issues = judged.flatMap((one) => one.issues);
  const [first, ...others] = judged.flatMap(({ place }) => (place === undefined ? [] : [place]));
  const refused = (reason: string, unmarked?: string): Tried => ({
    choice: undefined,
    unmarked,
    reason,
    issues,
  });
  if (first === undefined) return refused(judged.map(({ refusal }) => refusal).join('; '));
  const places = [first, ...others] as const;
  const { signals, profile, judge, preset } = context;
  const primary = preset.firstOnly
    ? { place: first, reason: 'it is the first', arbitrary: false }
    : choosePrimary(places, signals, profile, judge.around.platform);
  const directory = primary.place.kind === 'file' ? dirname(primary.place.path) : primary.place.path;
  if (preset.markerRequired && source.upward !== true && !(await hasMarker(context, directory))) {
    return refused(`it has no ${context.markers.join(' or ')}`, directory);
  }
  const project = await projectAt(context, source, directory);
  if (typeof project === 'string') return refused(project);
  const confidence = confidenceIn(context, source, primary);
  const said = offered.length === 1 ? (offered[0]?.note ?? primary.reason) : primary.reason;
  const reason = source.upward === true ? `found ${project.markers[0] ?? 'it'} going up` : said;
  return {
    choice: { source, project, confidence, places, arbitrary: primary.arbitrary },
    unmarked: undefined,
    reason,
    issues,
  };
}

async function hasMarker({ markers, judge }: ChainContext, directory: string): Promise<boolean> {
  for (const marker of markers) {
    if ((await judge.disk.kindOf(join(directory, marker))) !== undefined) return true;
  }
  return false;
}

/** The project at a place, or from it upward; a text says why there is none. */
async function projectAt(
  context: ChainContext,
  source: RootSource,
  directory: string,
): Promise<Project | string> {
  const { judge, preset, markers, levels, signal } = context;
  if (source.upward !== true) return named(context, await judge.disk.describe(directory));
  const options = {
    markers,
    levels,
    markerOnly: preset.markerOnly,
    ...(signal === undefined ? {} : { signal }),
  };
  const project = await judge.disk.detect(directory, options);
  if (project === undefined) return `no project within ${levels} levels above it`;
  // A repository in the home directory holds somebody's settings, not their project.
  const spellings = [project.location, await judge.disk.realPath(project.location)];
  const [danger] = spellings.flatMap((path) => (judge.guard ? (findDanger(path, judge.around) ?? []) : []));
  return danger === undefined
    ? named(context, project)
    : `${quote(project.location)} was found, but ${danger.reason}`;
}

function named({ preset }: ChainContext, project: Project): Project {
  return preset.nameByDirectory
    ? { ...project, name: basename(project.location) || project.location }
    : project;
}

/** One process for several windows tells only about the window that started it. */
function confidenceIn({ profile }: ChainContext, source: RootSource, { place }: Primary): Trust {
  const shared = profile?.quirks?.includes('shared-process') === true && !source.explicit;
  return shared ? lower(place.trust, 'weak') : place.trust;
}
