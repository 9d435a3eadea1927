import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { Project } from '../project/project.ts';
import type { Signals } from '../sources/root-source.ts';
import { type ChainContext, createChainContext, type ResolveOptions } from './chain-context.ts';
import type { MachinePlaces } from './danger.ts';
import type { Disk } from './disk.ts';
import { notFound } from './not-found.ts';
import { realDisk } from './real-disk.ts';
import type { Resolution, TrailStep } from './resolution.ts';
import { type ChosenSource, trySource } from './try-source.ts';

/**
 * Determines the project. Asks every source in order, and records the whole trail: the places each one named,
 * and why they were taken or refused. Never guesses silently: the result states its confidence, or what to
 * do.
 *
 * To find the project of one path on the disk, whatever a client says, use `detectProject`.
 *
 * @throws {RootwardError} `INVALID_MARKER` for a marker that is not one name
 * @example
 * ```ts
 * const resolution = await resolveWorkspace({ cwd: process.cwd() });
 * resolution.status // → 'resolved'
 * resolution.project.name // → 'rootward'
 * resolution.source // → 'walk-up'
 * const nowhere = await resolveWorkspace({ cwd: '/' });
 * nowhere.status // → 'unresolved'
 * const forbidden = await resolveWorkspace({ cwd: process.cwd() }, { within: [] });
 * forbidden.status // → 'unresolved'
 * ```
 */
export async function resolveWorkspace(signals: Signals, options: ResolveOptions = {}): Promise<Resolution> {
  const disk = options.disk ?? realDisk;
  const plugins = pluginDirectories(signals);
  const around = await surroundings(disk, { plugins, ...ownPackage, ...options.around });
  const context = createChainContext(signals, options, { around, disk });
  const result = await runChain(context);
  return conclude(context, result);
}

/** Variables in which clients tell a plugin where it is installed, which is never the project. */
const pluginVariables = [
  'CLAUDE_PLUGIN_ROOT',
  'COPILOT_PLUGIN_ROOT',
  'CURSOR_PLUGIN_ROOT',
  'PLUGIN_ROOT',
] as const;

function pluginDirectories({ environment = {} }: Signals): readonly string[] {
  return pluginVariables.flatMap((name) => environment[name] ?? []);
}

/** The package of this file if it is installed; a checkout of it is a project like any other. */
const here = dirname(createRequire(import.meta.url).resolve('rootward/package.json'));
const ownPackage: Partial<MachinePlaces> = /[\\/]node_modules[\\/]/.test(here) ? { ownPackage: here } : {};

/** Describes this machine, with overrides. The home directory counts under both its paths. */
export async function surroundings(disk: Disk, known: Partial<MachinePlaces> = {}): Promise<MachinePlaces> {
  const { home = homedir(), temporary = tmpdir() } = known;
  const [realHome, realTemporary] = await Promise.all([disk.realPath(home), disk.realPath(temporary)]);
  return { platform: hostPlatform, ...known, home, temporary, realHome, realTemporary };
}

async function conclude(context: ChainContext, result: ChainResult): Promise<Resolution> {
  const { chosen, trail, issues, unmarked } = result;
  const { name: preset, profile, markers } = context;
  if (chosen === undefined) {
    const error = notFound({ preset, trail, profile, marker: markers[0], unmarked });
    return { status: 'unresolved', error, roots: [], trail, issues };
  }
  const roots = grantedRoots(context, chosen);
  if (chosen.arbitrary && context.needsOne) {
    const { disk } = context.judge;
    const candidates = await Promise.all(chosen.candidates.map(({ path }) => disk.describe(path)));
    return { status: 'ambiguous', candidates, error: ambiguous(candidates), roots, trail, issues };
  }
  const { project, source, confidence } = chosen;
  const guessedAmong = chosen.arbitrary ? chosen.candidates.map(({ path }) => path) : [];
  const told = { project, source: source.name, confidence, guessedAmong };
  return { status: 'resolved', ...told, roots, trail, issues };
}

function ambiguous(candidates: readonly Project[]): RootwardError<'AMBIGUOUS_PROJECT'> {
  return new RootwardError('AMBIGUOUS_PROJECT', {
    candidates: candidates.map(({ name, location }) => `${name} (${location})`),
  });
}

/**
 * The roots that come with the project. A caller may choose the project, which grants nothing: the roots stay
 * those in effect, or those of the client or the operator.
 */
function grantedRoots(
  { signals, judge, within }: ChainContext,
  { source, places, project }: ChosenSource,
): readonly Root[] {
  const { platform } = judge.around;
  const toRoot = (path: string, name: string, kind: Root['kind']): Root => ({
    uri: toFileUri(path, { platform }),
    path,
    name,
    kind,
  });
  if (source.upward === true) return [toRoot(project.location, project.name, 'directory')];
  if (source.bounded !== true)
    return places.map(({ path, name, kind }) => toRoot(path, name ?? basename(path), kind));
  if (within !== undefined) return within;
  if (signals.roots?.state === 'listed') return signals.roots.roots;
  return signals.ceiling ?? [];
}

export interface ChainResult {
  readonly chosen: ChosenSource | undefined;
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /** A place that was named but lacks the marker that the preset requires. */
  readonly unmarked: string | undefined;
}

/** Asks the sources in turn until one names a usable project; records what the others would have named. */
export async function runChain(context: ChainContext): Promise<ChainResult> {
  const trail: TrailStep[] = [];
  const issues: RootIssue[] = [];
  let chosen: ChosenSource | undefined;
  let unmarked: string | undefined;
  let settled = false;
  for (const source of context.chain) {
    const offer = source.offer(context.signals, context.profile);
    const places = 'none' in offer ? [] : offer.places;
    const dropped = 'none' in offer ? (offer.dropped ?? []) : [];
    const offered = [...dropped, ...places.map(({ text }) => text)];
    const note = (outcome: TrailStep['outcome'], reason: string): void => {
      trail.push({ source: source.name, outcome, offered, reason });
    };
    if ('none' in offer) note(dropped.length === 0 ? 'absent' : 'refused', offer.none);
    else if (settled) note('passed', 'an earlier source settled it');
    else {
      const tried = await trySource(context, source, places);
      issues.push(...tried.issues);
      ({ chosen, unmarked } = tried);
      note(chosen === undefined ? 'refused' : 'chosen', tried.reason);
      settled = chosen !== undefined || unmarked !== undefined || source.final === true;
    }
  }
  return { chosen, trail, issues, unmarked };
}
