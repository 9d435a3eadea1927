import { isFileUri } from '../../path/file-uri.ts';
import { readRootUri } from '../../path/read-root-uri.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import type { OfferedPlace, RootSource } from '../sources/root-source.ts';
import { lower, type Trust } from '../sources/trust.ts';
import type { ChainBound, BoundPlace } from './bound.ts';
import { findDanger, type MachinePlaces } from './danger.ts';
import type { Disk } from './disk.ts';

/** The settings by which places are judged. */
export interface JudgeContext {
  readonly around: MachinePlaces;
  readonly disk: Disk;
  readonly guard: boolean;
  /** Refuses places that do not exist. */
  readonly mustExist: boolean;
  /** The allowed roots; `undefined` if there are none to check against. */
  readonly bound: ChainBound | undefined;
}

/** A place that can be used. */
export interface UsablePlace {
  readonly path: string;
  /** The path without links. */
  readonly real: string;
  /** Unknown if nothing is there. */
  readonly kind: 'directory' | 'file' | 'unknown';
  readonly name: string | undefined;
  /** The exact origin: a variable or a key. */
  readonly via: string | undefined;
  readonly trust: Trust;
}

export interface JudgedPlace {
  readonly place?: UsablePlace;
  /** The reason for a refusal, worded as the end of a sentence. */
  readonly refusal?: string;
  readonly issues: readonly RootIssue[];
}

/** Parses an offered place, then checks bound, danger and disk, in that order: the disk comes last. */
export async function judgePlace(
  context: JudgeContext,
  source: RootSource,
  offered: OfferedPlace,
): Promise<JudgedPlace> {
  const { platform } = context.around;
  const { path: read, issues: found } = readRootUri(offered.text, { platform, whole: true, unc: true });
  const issues = isFileUri(offered.text) ? found : found.filter(({ code }) => code !== 'bare-path');
  const path = read ?? (await likelierPath(context, source, issues));
  if (path === undefined) return { refusal: reasonOfIssues(issues), issues };
  if (await isOutside(context, source, path)) return { refusal: outsideAllowed, issues };
  const warnings = [...issues];
  const danger = context.guard ? findDanger(path, context.around) : undefined;
  if (danger !== undefined && !source.explicit) return { refusal: danger.reason, issues };
  if (danger !== undefined)
    warnings.push(createRootIssue('too-broad', offered.text, { state: danger.reason }));
  const seen = await lookAt(context, source, path);
  if (seen === 'outside') return { refusal: leadsOut, issues: warnings };
  if (seen.kind === undefined && context.mustExist)
    return { refusal: 'it does not exist', issues: [...warnings, createRootIssue('missing', offered.text)] };
  const { real, kind = 'unknown' } = seen;
  const hidden = await refuseReal(context, source, { path, real });
  if (hidden !== undefined) return { refusal: hidden, issues: warnings };
  const { name, via, trust = source.trust } = offered;
  return { place: { path, real, kind, name, via, trust: lower(source.trust, trust) }, issues: warnings };
}

/**
 * Checks the text of a path. A path from a client or a model is not checked on disk; another spelling of the
 * process's own directory may lead into an allowed root through a link.
 */
async function isOutside({ bound, disk }: JudgeContext, source: RootSource, path: string): Promise<boolean> {
  if (bound?.binds(source) !== true || bound.holds(path)) return false;
  if (source.fromOutside === true) return (await bound.place(path)) === undefined;
  return (await bound.topOf({ path, real: await disk.realPath(path) })) === undefined;
}

interface PlaceKind {
  readonly kind: 'directory' | 'file' | undefined;
  readonly real: string;
}

/**
 * Looks within the holding root if a client or a model named the place, so that no link there makes the
 * server look elsewhere.
 */
async function lookAt(
  { bound, disk }: JudgeContext,
  source: RootSource,
  path: string,
): Promise<PlaceKind | 'outside'> {
  const holder =
    source.fromOutside === true && bound?.binds(source) === true ? await bound.place(path) : undefined;
  if (holder === undefined || disk.lookWithin === undefined)
    return { kind: await disk.kindOf(path), real: await disk.realPath(path) };
  const seen = await disk.lookWithin(holder.root, holder.relative);
  return seen ?? { kind: undefined, real: path };
}

/** Repeats the checks for the target of a link, which its name could hide. */
async function refuseReal(
  { guard, bound, around }: JudgeContext,
  source: RootSource,
  place: BoundPlace,
): Promise<string | undefined> {
  if (place.real === place.path) return undefined;
  const danger = guard && !source.explicit ? findDanger(place.real, around) : undefined;
  if (danger !== undefined) return danger.reason;
  if (bound?.binds(source) !== true || (await bound.topOf(place)) !== undefined) return undefined;
  return leadsOut;
}

/** Why a place is refused that lies outside of the allowed roots, by its text or through a link. */
export const outsideAllowed = 'it is outside of what is allowed';
export const leadsOut = 'it leads out of what is allowed';

/** Uses the disk to decide between two meanings of a text. */
async function likelierPath(
  context: JudgeContext,
  source: RootSource,
  issues: readonly RootIssue[],
): Promise<string | undefined> {
  for (const { alternative } of issues) {
    if (alternative === undefined || (await isOutside(context, source, alternative))) continue;
    const seen = await lookAt(context, source, alternative);
    if (seen !== 'outside' && seen.kind !== undefined) return alternative;
  }
  return undefined;
}

/** Why a text cannot be read as a place, worded as the end of a sentence. */
export function reasonOfIssues(issues: readonly RootIssue[]): string {
  const issue = issues.find(({ effect }) => effect === 'dropped');
  return issue?.message.replace(/^.*?": /s, '') ?? 'it cannot be read';
}
