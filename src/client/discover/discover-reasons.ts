import type { FoundProject } from '../../workspace/project/found-project.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import type { ProjectKind } from '../../workspace/project/project.ts';
import { type CandidateReason, createReason } from './candidate.ts';
import type { RecentFolder } from './recent-folders.ts';

/** What is known about a place that could be proposed. */
export interface CandidateFacts {
  readonly kind: ProjectKind;
  readonly markers: readonly string[];
  /** How it stands to the others, if the search came by it. */
  readonly found?: Pick<FoundProject, 'depth' | 'parent' | 'member'>;
  /** If an editor had it open. */
  readonly recent?: RecentFolder;
  /** Name of a VS Code workspace that names it. */
  readonly workspace?: string;
}

/** Everything that speaks for or against a place. */
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
