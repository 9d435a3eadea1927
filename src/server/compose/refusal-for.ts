import { RootwardError } from '../../errors.ts';
import type { Merged, MergeMode } from '../../policy/merge.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import { findSecretPlace } from '../../policy/rules/secret-paths.ts';
import { leadsOut, outsideAllowed } from '../../workspace/chain/judge-place.ts';
import type { Resolution } from '../../workspace/chain/resolution.ts';
import { describeDropped } from '../../workspace/sources/roots-answer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Settings } from '../settings/settings.ts';
import { findMissingRoot } from './missing-root.ts';

/** The reason that a call has no project, and the remedy; `undefined` if it has one. */
export function refusalFor(
  merged: Merged,
  resolution: Resolution,
  context: RefusalContext,
): RootwardError | undefined {
  const { mode, open } = context;
  if (resolution.status === 'resolved') return undefined;
  if (resolution.status === 'ambiguous') return resolution.error;
  const { data } = resolution.error;
  const named = open.roots.length === 0 ? undefined : refusedArgument(resolution, context);
  // A preset with its own wording keeps it, also for a directory without its marker.
  if (named !== undefined && (data.text === undefined || named.code !== 'INVALID_PATH')) return named;
  if (data.text !== undefined) return resolution.error;
  const gone = findMissingRoot([...resolution.issues, ...open.issues]);
  const more = furtherRemedies(context);
  if (gone !== undefined && open.roots.length === 0)
    return new RootwardError('ROOT_MISSING', { root: gone, remedy: nothingLeft + more });
  const why = merged.kind === 'nothing' ? merged.why : describeSecret(open);
  if (why !== undefined) return new RootwardError('NO_ROOTS', { why, remedy: remedies[mode] + more });
  return new RootwardError('PROJECT_NOT_FOUND', { ...data, remedy: data.remedy + more });
}

/** Why these roots count, also where none of them could be opened. */
export function explainRoots({ kind, why }: Merged, { roots }: Workspace): string {
  return kind === 'roots' && roots.length === 0 ? `${why}, and none of them can be used` : why;
}

/** Names the secret places that were listed, if nothing else is open; `undefined` if there are none. */
function describeSecret({ roots, issues }: Workspace): string | undefined {
  const secret = issues.filter(({ code }) => code === 'secret-place');
  return roots.length > 0 || secret.length === 0 ? undefined : describeDropped(secret);
}

interface RefusalContext {
  readonly mode: MergeMode;
  readonly settings: Settings;
  readonly open: Workspace;
  /** `switch_project` could ask a person for a directory. */
  readonly asks: boolean;
}

/** The remedies that every client has. */
function furtherRemedies({ settings: { remedy }, asks }: RefusalContext): string {
  return [
    ...(remedy === undefined ? [] : [`, ${remedy}`]),
    ...(asks ? [', or call switch_project with the absolute path, which asks the person'] : []),
  ].join('');
}

/** The refusal of a directory that the caller named: nothing else can replace it. */
function refusedArgument(
  { trail, issues }: Resolution,
  { open, settings: { policy } }: RefusalContext,
): RootwardError | undefined {
  const step = trail.find(({ source, outcome }) => source === 'argument' && outcome === 'refused');
  const [path] = step?.offered ?? [];
  if (step === undefined || path === undefined) return undefined;
  const { reason } = step;
  if (reason === outsideAllowed || reason === leadsOut)
    return new RootwardError('OUTSIDE_ROOTS', { path, roots: open.roots.map(({ root }) => root.name) });
  const secret = findSecretWithin(policy, open, path);
  if (secret !== undefined) return new RootwardError('DENIED', { operation: 'list', path, ...secret });
  if (issues.some(({ code }) => code === 'missing'))
    return new RootwardError('NOT_FOUND', { verb: 'work in', path });
  return new RootwardError('INVALID_PATH', { path, reason });
}

/** Why a place in a root is secret by its name alone, whether or not it exists; not if the root is one itself. */
export function findSecretWithin(policy: Policy, open: Workspace, path: string): SecretWithin | undefined {
  const holder = open.locate(path)?.root;
  const denial = findSecretPlace(policy, [path]);
  if (holder === undefined || denial === undefined) return undefined;
  if (findSecretPlace(policy, [holder.path]) !== undefined) return undefined;
  return { root: holder.name, rule: denial.rule, reason: `it is a secret place: ${denial.reason}` };
}

interface SecretWithin {
  readonly root: string;
  readonly rule: string;
  readonly reason: string;
}

/** `list_roots` gives the same refusal then, so it is not part of the advice. */
const nothingLeft =
  'Put the folder back and call again after a few seconds, or open another one in the client';

const remedies: { readonly [Mode in MergeMode]: string } = {
  union: 'Open a folder in the client, or start the server with directories',
  intersect: 'Start the server with directories; on loopback a merge of "client" lets the client name them',
  client: 'Open a folder in the client, so that it lists it as a root',
  operator: 'Start the server with directories',
};
