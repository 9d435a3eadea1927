import { isFileUri } from '../path/file-uri.ts';
import { isInside } from '../path/inside.ts';
import { readRootUri } from '../path/read-root-uri.ts';
import { createRootIssue, type RootIssue } from '../path/root-issue.ts';
import type { Disk } from './disk.ts';
import { findDanger, type Surroundings } from './guard.ts';
import type { OfferedPlace, RootSource } from './root-source.ts';
import { lower, type Trust } from './trust.ts';

/** What a place is judged by. */
export interface JudgeContext {
  readonly around: Surroundings;
  readonly disk: Disk;
  readonly guard: boolean;
  /** What somebody allowed; places that the caller chose must lie within. Empty where nothing is known. */
  readonly bound: readonly string[];
}

/** A place that can be used. */
export interface UsablePlace {
  readonly path: string;
  readonly kind: 'directory' | 'file';
  readonly name: string | undefined;
  readonly trust: Trust;
}

export interface Judged {
  readonly place?: UsablePlace;
  /** Why not, as the end of a sentence. */
  readonly refusal?: string;
  readonly issues: readonly RootIssue[];
}

/** Reads, bounds, guards and looks up one offered place, in that order: the disk comes last. */
export async function judgePlace(
  context: JudgeContext,
  source: RootSource,
  offered: OfferedPlace,
): Promise<Judged> {
  const { platform } = context.around;
  const { path: read, issues: found } = readRootUri(offered.text, { platform, whole: true, unc: true });
  const issues = isFileUri(offered.text) ? found : found.filter(({ code }) => code !== 'bare-path');
  const path = read ?? (await likelierPath(context.disk, issues));
  if (path === undefined) return { refusal: reasonOf(issues), issues };
  const warnings = [...issues];
  const bounded = source.bounded !== true || context.bound.length === 0;
  if (!bounded && !context.bound.some((root) => isInside(root, path, { platform }))) {
    return { refusal: 'it is outside of what is allowed', issues };
  }
  const danger = context.guard ? findDanger(path, context.around) : undefined;
  if (danger !== undefined && !source.explicit) return { refusal: danger.reason, issues };
  if (danger !== undefined)
    warnings.push(createRootIssue('too-broad', offered.text, { state: danger.reason }));
  const kind = await context.disk.kindOf(path);
  if (kind === undefined)
    return { refusal: 'it does not exist', issues: [...warnings, createRootIssue('missing', offered.text)] };
  const hidden = await refuseReal(context, source, path);
  if (hidden !== undefined) return { refusal: hidden, issues: warnings };
  return {
    place: { path, kind, name: offered.name, trust: lower(source.trust, offered.trust ?? source.trust) },
    issues: warnings,
  };
}

/** The same questions about where a link leads: a name must not hide what it is a name of. */
async function refuseReal(
  context: JudgeContext,
  source: RootSource,
  path: string,
): Promise<string | undefined> {
  const { disk, guard, bound, around } = context;
  const real = await disk.realPath(path);
  if (real === path) return undefined;
  if (guard && !source.explicit) return findDanger(real, around)?.reason;
  if (source.bounded !== true || bound.length === 0) return undefined;
  const allowed = await Promise.all(bound.map((root) => disk.realPath(root)));
  const { platform } = around;
  return allowed.some((root) => isInside(root, real, { platform }))
    ? undefined
    : 'it leads out of what is allowed';
}

/** Where text alone could not tell two meanings apart, the disk may. */
async function likelierPath(disk: Disk, issues: readonly RootIssue[]): Promise<string | undefined> {
  for (const { alternative } of issues) {
    if (alternative !== undefined && (await disk.kindOf(alternative)) !== undefined) return alternative;
  }
  return undefined;
}

function reasonOf(issues: readonly RootIssue[]): string {
  const issue = issues.find(({ effect }) => effect === 'dropped');
  return issue?.message.replace(/^.*?": /s, '') ?? 'it cannot be read';
}
