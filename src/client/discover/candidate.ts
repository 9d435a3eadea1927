import type { Root } from '../../path/root.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import type { FoundProject, ProjectKind } from '../../workspace/project/project.ts';
import type { RecentFolder } from './recent-folders.ts';

export type CandidateReasonCode =
  | 'marker'
  | 'repository'
  | 'manifest'
  | 'opened-this-week'
  | 'opened-this-month'
  | 'workspace'
  | 'workspace-folder'
  | 'editor'
  | 'opened'
  | 'start'
  | 'deep'
  | 'nested'
  | 'member';

interface Reason {
  readonly points: number;
  /** Completes a sentence. */
  readonly text: string;
}

/** All reasons for or against a candidate, with their weight. The score is the sum. */
export const candidateReasons: { readonly [Code in CandidateReasonCode]: Reason } = {
  marker: { points: 50, text: 'it has a Rootward marker' },
  repository: { points: 40, text: 'it is a repository' },
  manifest: { points: 30, text: 'it has a project file' },
  'opened-this-week': { points: 30, text: 'an editor opened it in the last 7 days' },
  'opened-this-month': { points: 20, text: 'an editor opened it in the last 30 days' },
  workspace: { points: 20, text: 'it has a VS Code workspace' },
  'workspace-folder': { points: 20, text: 'a VS Code workspace lists it' },
  editor: { points: 10, text: 'an editor keeps its settings there' },
  opened: { points: 10, text: 'an editor opened it once' },
  start: { points: 10, text: 'it is where the search began' },
  deep: { points: -5, text: 'it is more than three directories deep' },
  nested: { points: -10, text: 'it is inside another project' },
  member: { points: -20, text: 'it is a package of another project' },
};

/** One reason for or against a candidate. */
export interface CandidateReason extends Reason {
  readonly code: CandidateReasonCode;
  /** The file or editor it refers to. */
  readonly detail?: string;
}

/** A directory that could become a root. Proposing it grants nothing. */
export interface Candidate {
  readonly root: Root;
  /** The sum of the points of its reasons. */
  readonly score: number;
  /** The strongest first. */
  readonly reasons: readonly CandidateReason[];
  readonly kind: ProjectKind;
  /** Names of the marker files found in it. */
  readonly markers: readonly string[];
  /** Location of the enclosing project. */
  readonly parent?: string;
  /** When an editor last had it open. */
  readonly opened?: Date;
}

export function createReason(code: CandidateReasonCode, detail?: string): CandidateReason {
  return { code, ...candidateReasons[code], ...(detail === undefined ? {} : { detail }) };
}

/** Sorts the reasons and adds up their points. */
export function scoreCandidate(
  candidate: Omit<Candidate, 'score' | 'reasons'>,
  reasons: readonly CandidateReason[],
): Candidate {
  const sorted = reasons.toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points));
  return { ...candidate, reasons: sorted, score: reasons.reduce((sum, { points }) => sum + points, 0) };
}

/** Sorts by score, then by last use, then by path. */
export function rankCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted(
    (one, other) =>
      other.score - one.score ||
      (other.opened?.getTime() ?? 0) - (one.opened?.getTime() ?? 0) ||
      (one.root.path < other.root.path ? -1 : 1),
  );
}

/** Facts about a directory that could be proposed. */
export interface CandidateFacts {
  readonly kind: ProjectKind;
  readonly markers: readonly string[];
  /** Its place among the other projects, if the search found it. */
  readonly found?: Pick<FoundProject, 'depth' | 'parent' | 'member'>;
  /** Set if an editor had it open. */
  readonly recent?: RecentFolder;
  /** Name of a VS Code workspace that lists it. */
  readonly workspace?: string;
}

/** Returns all reasons for or against a directory. */
export function reasonsFor(facts: CandidateFacts, now: Date): readonly CandidateReason[] {
  const { recent, workspace = recent?.workspace } = facts;
  return [
    ...revealed(facts),
    ...(recent === undefined ? [] : [opened(recent, now)]),
    ...(workspace === undefined ? [] : [createReason('workspace-folder', workspace)]),
    ...placed(facts),
  ];
}

function revealed({ kind, markers }: CandidateFacts): readonly CandidateReason[] {
  const known = markers.map((name) => ({ name, marker: matchMarker(name) }));
  const first = (wanted: (kind: string | undefined, ecosystem: string | undefined) => boolean) =>
    known.find(({ marker }) => wanted(marker?.kind, marker?.ecosystem))?.name;
  const repository = first((kind) => kind === 'repository');
  const manifest = first((kind) => kind === 'manifest');
  const workspace = first((_kind, ecosystem) => ecosystem === 'vscode');
  const editor = first((kind, ecosystem) => kind === 'editor' && ecosystem !== 'vscode');
  return [
    ...(kind === 'marker' ? [createReason('marker', markers[0])] : []),
    ...(repository === undefined ? [] : [createReason('repository', repository)]),
    ...(manifest === undefined ? [] : [createReason('manifest', manifest)]),
    ...(workspace === undefined ? [] : [createReason('workspace', workspace)]),
    ...(editor === undefined ? [] : [createReason('editor', editor)]),
  ];
}

const day = 24 * 60 * 60 * 1_000;

function opened({ opened: when, editor }: RecentFolder, now: Date): CandidateReason {
  const days = (now.getTime() - when.getTime()) / day;
  if (days <= 7) return createReason('opened-this-week', editor);
  return createReason(days <= 30 ? 'opened-this-month' : 'opened', editor);
}

const deepest = 3;

function placed({ found }: CandidateFacts): readonly CandidateReason[] {
  if (found === undefined) return [];
  const { depth, parent, member } = found;
  const reasons: CandidateReason[] = [];
  if (depth === 0) reasons.push(createReason('start'));
  if (depth > deepest) reasons.push(createReason('deep'));
  if (member) reasons.push(createReason('member'));
  else if (parent !== undefined) reasons.push(createReason('nested'));
  return reasons;
}
