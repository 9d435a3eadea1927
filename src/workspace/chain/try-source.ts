import { dirname, join } from 'node:path';
import type { RootIssue } from '../../path/root-issue.ts';
import type { ChainContext } from './chain-context.ts';
import { choosePrimary, type Primary } from './choose-primary.ts';
import { judgePlace, type UsablePlace } from './judge-place.ts';
import { projectAt } from './project-at.ts';
import type { Project } from '../project/project.ts';
import type { OfferedPlace, RootSource } from '../sources/root-source.ts';
import { lower, type Trust } from '../sources/trust.ts';

/** What the source that was chosen came to. */
export interface ChosenSource {
  readonly source: RootSource;
  readonly project: Project;
  readonly confidence: Trust;
  /** Every usable place that the source named, the project's own among them. */
  readonly places: readonly UsablePlace[];
  /** Several were named, and nothing told them apart. */
  readonly arbitrary: boolean;
}

export interface TriedSource {
  readonly chosen: ChosenSource | undefined;
  /** A place that was named but does not carry the marker that the preset demands. */
  readonly unmarked: string | undefined;
  /** Why, as the end of a sentence. */
  readonly reason: string;
  readonly issues: readonly RootIssue[];
}

/** What comes of the places that one source named. */
export async function trySource(
  context: ChainContext,
  source: RootSource,
  offered: readonly OfferedPlace[],
): Promise<TriedSource> {
  const judged = await Promise.all(offered.map((place) => judgePlace(context.judge, source, place)));
  const issues = judged.flatMap((one) => one.issues);
  const usable = judged.flatMap(({ place }) => (place === undefined ? [] : [place]));
  const [first, ...others] = usable;
  const refused = { chosen: undefined, unmarked: undefined, issues };
  if (first === undefined) return { ...refused, reason: judged.map(({ refusal }) => refusal).join('; ') };
  // A client has its keys and variables in an order: the next one is for when the one before says nothing.
  const places = [first, ...others.filter(({ via }) => via === first.via)] as const;
  const primary = primaryOf(context, places);
  const directory = primary.place.kind === 'file' ? dirname(primary.place.path) : primary.place.path;
  if (context.preset.markerRequired && source.upward !== true && !(await hasMarker(context, directory))) {
    return { ...refused, unmarked: directory, reason: `it has no ${context.markers.join(' or ')}` };
  }
  const project = await projectAt(context, source, primary.place);
  if (typeof project === 'string') return { ...refused, reason: project };
  const confidence = confidenceIn(context, source, primary);
  const chosen = { source, project, confidence, places, arbitrary: primary.arbitrary };
  const note = offered.length === 1 ? offered[0]?.note : undefined;
  return { chosen, unmarked: undefined, reason: reasonFor(chosen, note ?? primary.reason), issues };
}

function primaryOf(
  { preset, signals, profile, judge }: ChainContext,
  places: readonly [UsablePlace, ...UsablePlace[]],
): Primary {
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

/** One process for several windows tells only about the window that started it. */
function confidenceIn({ profile }: ChainContext, source: RootSource, { place }: Primary): Trust {
  const shared = profile?.quirks?.includes('shared-process') === true && !source.explicit;
  return shared ? lower(place.trust, 'weak') : place.trust;
}

function reasonFor({ source, project }: ChosenSource, said: string): string {
  return source.upward === true ? `found ${project.markers[0] ?? 'it'} going up` : said;
}
