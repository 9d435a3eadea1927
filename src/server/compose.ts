import { RootwardError } from '../errors.ts';
import { isFileUri, readFileUri } from '../path/file-uri.ts';
import type { RootIssue } from '../path/root-issue.ts';
import type { Root } from '../path/root.ts';
import { merge, type Merged } from '../policy/merge.ts';
import type { MergeMode } from '../policy/merge-outcome.ts';
import { presets } from '../workspace/presets.ts';
import type { Resolution } from '../workspace/resolution.ts';
import { resolveWorkspace } from '../workspace/resolve-workspace.ts';
import type { RootsAnswer } from '../workspace/roots-answer.ts';
import type { ClientIdentity, Signals } from '../workspace/signals.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { CallWorkspace } from './call-workspace.ts';
import type { Composition } from './composition.ts';
import { bindSwitch, type BoundSwitch } from './bind-switch.ts';
import type { Remembered, Switched } from './connection-memory.ts';
import { nameSafely } from './name-safely.ts';
import { narrowByClient } from './narrow-by-client.ts';
import type { Settings } from './settings.ts';

/** Everything about one call that can tell the project, beside the settings. */
export interface Moment {
  readonly answer: RootsAnswer;
  readonly remembered: Remembered;
  readonly client: ClientIdentity | undefined;
  readonly overHttp: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly argument: string | undefined;
  readonly revision: number;
}

/** Puts operator and client together, asks the sources, and opens what counts. */
export async function compose(moment: Moment, settings: Settings): Promise<Composition> {
  const mode = modeOf(settings, moment);
  const merged = merge(settings.ceiling, moment.answer, mode);
  const { bound, within } = await bind(moment, settings, merged);
  const signals = signalsOf(moment, settings, bound);
  const resolution = await resolveWorkspace(signals, { ...settings.resolve, ...(within && { within }) });
  const roots = effectiveRoots(merged, resolution, within);
  const open = await openWorkspace(nameSafely(roots, settings), {
    ceiling: settings.ceiling ?? [],
    revision: moment.revision,
    ...(settings.boundary && { boundary: settings.boundary }),
  });
  const composed = conclude({ resolution, open, bound, why: merged.why, moment });
  const error = composed === undefined ? refusalFor(merged, resolution, mode) : undefined;
  const policy = narrowByClient(settings.policy, open, moment.answer);
  const switchEnded = bound.kind === 'ended';
  return { workspace: composed, error, open, policy, resolution, why: merged.why, switchEnded };
}

/** Over HTTP a client can never widen what the operator named. */
export function modeOf({ merge: chosen }: Settings, { overHttp }: Pick<Moment, 'overHttp'>): MergeMode {
  return chosen ?? (overHttp ? 'intersect' : 'union');
}

/** Whether somebody other than the operator can add to what may be reached. */
export function mayWiden(mode: MergeMode): boolean {
  return mode === 'union' || mode === 'client';
}

interface Binding {
  readonly bound: BoundSwitch;
  /** The roots that count; `undefined` where the project that is found counts. */
  readonly within: readonly Root[] | undefined;
}

/** What somebody chose must lie in what may be reached, and that may be what is found without the choice. */
async function bind(moment: Moment, settings: Settings, merged: Merged): Promise<Binding> {
  const within = merged.kind === 'roots' ? merged.roots : merged.kind === 'nothing' ? [] : undefined;
  const { argument, remembered } = moment;
  const { switched } = remembered;
  if (switched === undefined && argument === undefined) return { bound: { kind: 'none' }, within };
  const known = within ?? (await rootsFound(moment, settings));
  const bound = switched === undefined ? noSwitch : bindSwitch(grantable(switched, moment, settings), known);
  if (bound.kind === 'place') return { bound, within: bound.root ? [...known, bound.root] : known };
  return { bound, within: within ?? (bindsArgument(argument, known, settings) ? known : undefined) };
}

const noSwitch: BoundSwitch = { kind: 'none' };

async function rootsFound(moment: Moment, settings: Settings): Promise<readonly Root[]> {
  const signals = signalsOf({ ...moment, argument: undefined }, settings, noSwitch);
  return (await resolveWorkspace(signals, settings.resolve)).roots;
}

/** A yes counts where a client may widen at all; it is the client that brings it. */
function grantable({ text, consented = false }: Switched, moment: Moment, settings: Settings): Switched {
  return { text, consented: consented && mayWiden(modeOf(settings, moment)) };
}

/** A preset without a guard takes an argument from anywhere: it names a project, and nothing is granted by it. */
function bindsArgument(argument: string | undefined, known: readonly Root[], { resolve }: Settings): boolean {
  if (argument === undefined) return false;
  return presets[resolve.preset ?? 'default'].guard || bindSwitch({ text: argument }, known).kind === 'place';
}

function signalsOf(moment: Moment, settings: Settings, bound: BoundSwitch): Signals {
  const { answer, remembered, client, meta, argument } = moment;
  const { environment, cwd, ceiling, pinned } = settings;
  return {
    roots: answer,
    meta,
    environment,
    ...(remembered.listed && { remembered: remembered.listed }),
    ...(remembered.initialize !== undefined && { initialize: remembered.initialize }),
    ...(client && { client }),
    ...(cwd !== undefined && { cwd }),
    ...(ceiling && { ceiling }),
    ...(pinned !== undefined && { pinned }),
    ...(argument !== undefined && { argument }),
    ...(bound.kind === 'place' && { switched: bound.path }),
  };
}

function effectiveRoots(
  merged: Merged,
  resolution: Resolution,
  within: readonly Root[] | undefined,
): readonly Root[] {
  if (within !== undefined) return within;
  return merged.kind === 'detected' ? resolution.roots : [];
}

interface Conclusion {
  readonly resolution: Resolution;
  readonly open: Workspace;
  readonly bound: BoundSwitch;
  readonly why: string;
  readonly moment: Moment;
}

function conclude({ resolution, open, bound, why, moment }: Conclusion): CallWorkspace | undefined {
  const listed = moment.answer.state === 'listed' ? (moment.answer.issues ?? []) : [];
  const told = {
    roots: open.roots.map(({ root }) => root),
    trail: resolution.trail,
    issues: distinct([...listed, ...resolution.issues, ...open.issues]),
    why,
    revision: open.revision,
  };
  if (resolution.status === 'resolved') {
    const { project, source, confidence } = resolution;
    return { project, source, confidence, ...told };
  }
  if (bound.kind !== 'name') return undefined;
  const { name } = bound;
  const project = { name, location: undefined, id: `name:${name}`, kind: 'name', markers: [] } as const;
  return { project, source: 'switched', confidence: 'certain', ...told };
}

function refusalFor(merged: Merged, resolution: Resolution, mode: MergeMode): RootwardError | undefined {
  if (resolution.status === 'resolved') return undefined;
  if (merged.kind !== 'nothing' || resolution.status === 'ambiguous') return resolution.error;
  // A preset that promises its words keeps them.
  if (resolution.error.data.text !== undefined) return resolution.error;
  return new RootwardError('NO_ROOTS', { why: merged.why, remedy: remedies[mode] });
}

const remedies: { readonly [Mode in MergeMode]: string } = {
  union: 'Open a folder in the client, or start the server with directories',
  intersect: 'Start the server with directories; on loopback a merge of "client" lets the client name them',
  client: 'Open a folder in the client, so that it lists it as a root',
  operator: 'Start the server with directories',
};

/** The chain and the opening of roots find some of the same things. */
function distinct(issues: readonly RootIssue[]): readonly RootIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${placeOf(issue)}`, issue])).values()];
}

/** One of them has the path, the other one the URI. */
function placeOf({ entry }: RootIssue): string {
  const path = isFileUri(entry) ? readFileUri(entry, { whole: true, unc: true }) : entry;
  return typeof path === 'string' ? path : entry;
}
