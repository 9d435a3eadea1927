import { escapeText } from '../../base/quote.ts';
import { createRootIssue, type RootIssue, type RootIssueCode } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import { merge, type Merged, type MergeMode } from '../../policy/merge.ts';
import { bindRules, type BoundRules } from '../../policy/rules/bind-rules.ts';
import { judgeSecretPaths } from '../../policy/rules/secret-paths.ts';
import type { ResolveOptions } from '../../workspace/chain/chain-context.ts';
import { chainPresets } from '../../workspace/chain/chain-presets.ts';
import { findDanger } from '../../workspace/chain/danger.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import type { Resolution } from '../../workspace/chain/resolution.ts';
import { resolveWorkspace, surroundings } from '../../workspace/chain/resolve-workspace.ts';
import { allSources } from '../../workspace/sources/all-sources.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../../workspace/workspace.ts';
import type { Switched } from '../connection/connection-memory.ts';
import type { CallWorkspace } from '../settings/rootward.ts';
import type { Settings } from '../settings/settings.ts';
import type { Composition, CompositionInput } from './composition.ts';
import { diskUnderRules } from './disk-under-rules.ts';
import {
  findRefusedPlaces,
  nameSafely,
  narrowByClient,
  placedRoots,
  type RefusedPlaces,
  ruledRoots,
  secretIssue,
} from './effective-roots.ts';
import { issuesOf } from './usable-answer.ts';
import { bindSwitch, type BoundSwitch, gatherSignals, type SignalScope } from './gather-signals.ts';
import { pathOf } from './missing-root.ts';
import { explainRoots, refusalFor } from './refusal-for.ts';

/** Combines operator and client, asks the sources for the project, and opens the roots that count. */
export async function compose(input: CompositionInput, settings: Settings): Promise<Composition> {
  const mode = modeOf(settings, input);
  const refused = await findRefusedPlaces(settings);
  const merged = withoutRefused(merge(settings.ceiling, input.answer, mode), refused);
  const { bound, within } = await bind(input, settings, merged);
  // A preset without the danger check only wants a name, whatever can be reached.
  const nameOnly = merged.kind === 'nothing' && !isGuarded(settings.resolve);
  const signals = gatherSignals(input, settings, { bound, ...scopeOf(merged, mode) });
  const opening = openingOf(input, settings, refused);
  // Named before anything in them is searched: a place that took over a root's name must not be read.
  const named = within && nameSafely(within, settings);
  const first = named && (await openWorkspace(named, opening));
  const reached = first && withoutExchanged(within, first);
  const ruled = (roots: readonly Root[], open: Workspace): BoundRules => {
    const rules = bindRules(settings.policy, ruledRoots(settings, roots, open));
    const judged = judgeSecretPaths(rules.policy, placedRoots(settings, open));
    return { ...rules, policy: refused.deny(narrowByClient(judged, open, input.answer), open) };
  };
  const known = first && ruled(named, first);
  const { disk = realDisk } = settings.resolve;
  const resolution = await resolveWorkspace(signals, {
    ...settings.resolve,
    ...(reached && !nameOnly && { within: reached }),
    ...(known && { disk: diskUnderRules(disk, { workspace: first, policy: known.policy }) }),
    ...chooserOf(settings, input),
  }).catch(async (error: unknown) => {
    await first?.close();
    throw error;
  });
  const roots = named ?? nameSafely(await effectiveRoots(resolution, settings), settings);
  const open = first ?? (await openFound(roots, resolution, { ...opening, settings }));
  const { policy, notes } = known ?? ruled(roots, open);
  const guess = describeGuess(resolution);
  const why = [explainRoots(merged, open), ...notes, ...(guess === undefined ? [] : [guess])].join('; ');
  const issues = distinct([...issuesOf(input.answer), ...resolution.issues, ...open.issues]);
  const composed = conclude({ resolution, open, bound, why, issues });
  const error =
    composed === undefined
      ? refusalFor(merged, resolution, { mode, settings, open, asks: await couldAsk(input, settings, mode) })
      : undefined;
  // A client that did not answer has revoked nothing.
  const switchEnded = bound.kind === 'ended' && !/unasked|failed/.test(input.answer.state);
  const ready = composed && Promise.resolve(composed);
  return { workspace: composed, ready, error, open, policy, resolution, why, guess, issues, switchEnded };
}

/** Whether `switch_project` could ask a person for a directory: in the client, or elsewhere. */
async function couldAsk(
  { canSwitch, canAsk }: CompositionInput,
  { tools, askSwitch }: Settings,
  mode: MergeMode,
): Promise<boolean> {
  if (!canSwitch || !mayWiden(mode) || !tools.includes('switch_project')) return false;
  return canAsk || (await askSwitch?.canAsk()) === true;
}

/** Uses what a person chose before. A person who chose none is not asked again, and the first one counts. */
function chooserOf({ choices }: Settings, { client }: CompositionInput): Pick<ResolveOptions, 'choose'> {
  if (choices === undefined) return {};
  return { choose: async (places) => (await choices.find(client?.name, places))?.location };
}

/** One sentence about a project that was guessed. */
function describeGuess(resolution: Resolution): string | undefined {
  if (resolution.status !== 'resolved' || resolution.guessedAmong.length === 0) return undefined;
  const { project, guessedAmong } = resolution;
  return `the project is a guess: ${escapeText(project.name)} is the first of ${guessedAmong.length}; pass cwd to choose`;
}

function openingOf(
  { revision }: CompositionInput,
  settings: Settings,
  { kept }: RefusedPlaces,
): WorkspaceOptions {
  const { ceiling = [], anchors, boundary } = settings;
  return {
    ceiling,
    anchors,
    revision,
    refuses: (root, real) => secretIssue(settings.policy, root, real),
    boundary: { ...boundary, ...(kept && { kept }) },
  };
}

const exchanged: ReadonlySet<RootIssueCode> = new Set(['exchanged', 'leaves-root', 'secret-place']);

function withoutExchanged(roots: readonly Root[], { issues }: Workspace): readonly Root[] {
  const entries = new Set(issues.filter(({ code }) => exchanged.has(code)).map(({ entry }) => entry));
  return entries.size === 0 ? roots : roots.filter(({ uri }) => !entries.has(uri));
}

/**
 * Opens the found project as a root when no roots were named, unless it was found by accident and is a dangerous
 * place.
 */
async function openFound(
  roots: readonly Root[],
  resolution: Resolution,
  { settings, ...opening }: WorkspaceOptions & { readonly settings: Settings },
): Promise<Workspace> {
  if (roots.length === 0 || isExplicit(resolution)) return openWorkspace(roots, opening);
  const { disk = realDisk, around } = settings.resolve;
  const here = await surroundings(disk, around);
  const refuses = (root: Root, real: string): RootIssue | undefined =>
    findDanger(real, here) === undefined
      ? opening.refuses?.(root, real)
      : createRootIssue('no-project', root.uri);
  return openWorkspace(roots, { ...opening, refuses });
}

/** Over HTTP a client can never widen what the operator named. */
export function modeOf(
  { merge: chosen }: Settings,
  { overHttp }: Pick<CompositionInput, 'overHttp'>,
): MergeMode {
  return chosen ?? (overHttp ? 'intersect' : 'union');
}

/** Whether a client can add to what the operator named. */
export function mayWiden(mode: MergeMode): boolean {
  return mode === 'union' || mode === 'client';
}

/** Removes refused places, which must not become the project either. Links are checked when the roots are open. */
function withoutRefused(merged: Merged, { covers }: RefusedPlaces): Merged {
  if (merged.kind !== 'roots') return merged;
  const roots = merged.roots.filter(({ path }) => !covers(path));
  const left = merged.roots.length - roots.length;
  if (left === 0) return merged;
  const why = `${merged.why}, except for ${left} that the operator refuses`;
  return roots.length > 0 ? { ...merged, roots, why } : { kind: 'nothing', why: `${why}, and none is left` };
}

interface BoundRoots {
  readonly bound: BoundSwitch;
  /** The roots that count; `undefined` if the found project counts. */
  readonly within: readonly Root[] | undefined;
}

/** Binds a choice to what can be reached, which may be the project found without that choice. */
async function bind(input: CompositionInput, settings: Settings, merged: Merged): Promise<BoundRoots> {
  const within = merged.kind === 'roots' ? merged.roots : merged.kind === 'nothing' ? [] : undefined;
  const { argument, remembered } = input;
  const { switched } = remembered;
  if (switched === undefined && argument === undefined) return { bound: noSwitch, within };
  const known = within ?? (await rootsFound(input, settings, merged));
  const bound = switched === undefined ? noSwitch : bindSwitch(grantable(switched, input, settings), known);
  if (bound.kind === 'place') return { bound, within: bound.root ? [...known, bound.root] : known };
  return { bound, within: within ?? (bindsArgument(argument, known, settings) ? known : undefined) };
}

const noSwitch: BoundSwitch = { kind: 'none' };

async function rootsFound(
  input: CompositionInput,
  settings: Settings,
  merged: Merged,
): Promise<readonly Root[]> {
  const scope = { bound: noSwitch, ...scopeOf(merged, modeOf(settings, input)) };
  const signals = gatherSignals({ ...input, argument: undefined }, settings, scope);
  const resolution = await resolveWorkspace(signals, settings.resolve);
  return effectiveRoots(resolution, settings);
}

function scopeOf({ kind }: Merged, mode: MergeMode): Omit<SignalScope, 'bound'> {
  return { detected: kind === 'detected', operatorOnly: mode === 'operator' };
}

/** A person's consent counts only in modes where a client may widen. */
function grantable(
  { text, consented = false }: Switched,
  input: CompositionInput,
  settings: Settings,
): Switched {
  return { text, consented: consented && mayWiden(modeOf(settings, input)) };
}

/**
 * Whether an argument must lie inside the roots. A preset without the danger check accepts any directory as a name
 * and grants nothing by it.
 */
function bindsArgument(argument: string | undefined, known: readonly Root[], { resolve }: Settings): boolean {
  if (argument === undefined) return false;
  return isGuarded(resolve) || bindSwitch({ text: argument }, known).kind === 'place';
}

async function effectiveRoots(resolution: Resolution, { resolve }: Settings): Promise<readonly Root[]> {
  const guarded = isGuarded(resolve) || isExplicit(resolution);
  return guarded ? resolution.roots : withoutDanger(resolution.roots, resolve);
}

function isExplicit(resolution: Resolution): boolean {
  return resolution.status !== 'resolved' || allSources[resolution.source].explicit;
}

/**
 * A preset may name a project after any directory, but a dangerous place that was not chosen on purpose is not
 * opened.
 */
async function withoutDanger(
  roots: readonly Root[],
  { disk = realDisk, around }: ResolveOptions,
): Promise<readonly Root[]> {
  const here = await surroundings(disk, around);
  const real = await Promise.all(roots.map(({ path }) => disk.realPath(path)));
  const isDangerous = (path: string): boolean => findDanger(path, here) !== undefined;
  return roots.filter(({ path }, index) => !isDangerous(path) && !isDangerous(real[index] ?? path));
}

function isGuarded({ preset = 'default' }: ResolveOptions): boolean {
  return chainPresets[preset].guard;
}

interface OpenedResolution {
  readonly resolution: Resolution;
  readonly open: Workspace;
  readonly bound: BoundSwitch;
  readonly why: string;
  readonly issues: readonly RootIssue[];
}

function conclude({ resolution, open, bound, why, issues }: OpenedResolution): CallWorkspace | undefined {
  const common = {
    roots: open.roots.map(({ root }) => root),
    trail: resolution.trail,
    issues,
    why,
    revision: open.revision,
  };
  if (resolution.status === 'resolved') {
    const { project, source, confidence } = resolution;
    return { project, source, confidence, ...common };
  }
  if (bound.kind !== 'name') return undefined;
  const { name } = bound;
  const project = { name, location: undefined, id: `name:${name}`, kind: 'name', markers: [] } as const;
  return { project, source: 'switched', confidence: 'certain', ...common };
}

/** Removes findings that both the chain and the opening of roots made. */
function distinct(issues: readonly RootIssue[]): readonly RootIssue[] {
  // One finding holds the path, the other the URI.
  return [...new Map(issues.map((issue) => [`${issue.code} ${pathOf(issue.entry)}`, issue])).values()];
}
