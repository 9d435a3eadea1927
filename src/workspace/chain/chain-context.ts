import type { Root } from '../../path/root.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { parseMarker } from '../project/find-markers.ts';
import { allSources, type NamedSource, type SourceName } from '../sources/all-sources.ts';
import { findProfile, mergeProfiles, type Profile } from '../sources/profile.ts';
import type { Signals } from '../sources/root-source.ts';
import { type ChainBound, createBound } from './bound.ts';
import { type ChainPreset, type ChainPresetName, chainPresets } from './chain-presets.ts';
import type { MachinePlaces } from './danger.ts';
import type { Disk } from './disk.ts';
import type { JudgeContext } from './judge-place.ts';

export interface ResolveOptions {
  readonly preset?: ChainPresetName;
  /** Replaces the sources of the preset, in exactly this order. */
  readonly sources?: readonly SourceName[];
  /** The product's own markers, files or directories; they count more than a repository. */
  readonly markers?: readonly string[];
  /** How far up a search goes; 20 at most. */
  readonly levels?: number;
  /** More client facts; they are looked at before the built-in ones. */
  readonly profiles?: readonly Profile[];
  /**
   * The roots that count. A place outside of all of them is refused, whatever source named it, and so is a
   * project that was found there; of an empty list, everything. Without it only what the caller chose is bound,
   * by what the operator or the client named. Links are followed once, while it is judged: what is opened later
   * is kept within by the boundary that opens it.
   */
  readonly within?: readonly Root[];
  /** The call cannot do with several projects: say `ambiguous` rather than take the first. */
  readonly needsOne?: boolean;
  /** Home directory and the like; of this machine by default. */
  readonly around?: Partial<MachinePlaces>;
  readonly disk?: Disk;
  readonly signal?: AbortSignal;
}

/** Options and signals, put together once. */
export interface ChainContext {
  readonly signals: Signals;
  readonly name: ChainPresetName;
  readonly preset: ChainPreset;
  readonly chain: readonly NamedSource[];
  readonly profile: Profile | undefined;
  readonly markers: readonly string[];
  readonly levels: number;
  readonly needsOne: boolean;
  readonly within: readonly Root[] | undefined;
  readonly judge: JudgeContext;
  readonly signal: AbortSignal | undefined;
}

const mostLevels = 20;

/** @throws {RootwardError} `INVALID_MARKER` */
export function createChainContext(
  signals: Signals,
  options: ResolveOptions,
  machine: Machine,
): ChainContext {
  const { preset: name = 'default', markers = [], levels = mostLevels, within } = options;
  for (const marker of markers) parseMarker(marker);
  const preset = chainPresets[name];
  const { guard, mustExist } = preset;
  const profile = preset.clientFacts ? profileOf(signals, options) : undefined;
  return {
    signals,
    name,
    preset,
    chain: chainOf(preset, options, profile),
    profile,
    markers: preset.markerOnly && markers.length === 0 ? ['.blue'] : markers,
    levels: Math.min(levels, mostLevels),
    needsOne: options.needsOne ?? false,
    within,
    judge: { ...machine, guard, mustExist, bound: boundOf(signals, { guard, within }, machine) },
    signal: options.signal,
  };
}

interface Machine {
  readonly around: MachinePlaces;
  readonly disk: Disk;
}

export function profileOf({ client }: Signals, { profiles = [] }: ResolveOptions): Profile | undefined {
  return mergeProfiles(findProfile(profiles, client?.name), findProfile(allProfiles, client?.name));
}

/** Who names the sources of a call has settled their order; otherwise the client's row may lower some. */
function chainOf(
  preset: ChainPreset,
  { sources }: ResolveOptions,
  profile: Profile | undefined,
): readonly NamedSource[] {
  if (sources !== undefined) return sources.map((source) => allSources[source]);
  return arrangeSources(
    preset.sources.map((source) => allSources[source]),
    profile?.order,
  );
}

/** What somebody other than the caller allowed: the roots that count, else the operator's, else the client's. */
function boundOf(
  { ceiling = [], roots }: Signals,
  { guard, within }: { readonly guard: boolean; readonly within: readonly Root[] | undefined },
  { around: { platform }, disk }: Machine,
): ChainBound | undefined {
  const toBound = (allowed: readonly Root[], everyone: boolean): ChainBound =>
    createBound(
      allowed.map(({ path }) => path),
      { platform, disk, everyone },
    );
  if (within !== undefined) return toBound(within, true);
  const listed: readonly Root[] = roots?.state === 'listed' ? roots.roots : [];
  const named = ceiling.length > 0 ? ceiling : listed;
  return guard && named.length > 0 ? toBound(named, false) : undefined;
}

/**
 * The chain for one client. What somebody said on purpose keeps its place, and a guess only ever moves down:
 * behind the guesses that the order names before it, or, where the order leaves it out, behind all that it
 * names, and then it is a weak one.
 */
export function arrangeSources(
  chain: readonly NamedSource[],
  order: readonly SourceName[] | undefined,
): readonly NamedSource[] {
  if (order === undefined) return chain;
  const placed = chain.flatMap((source, place) => (source.explicit ? [{ source, place }] : []));
  let lowest = 0;
  for (const source of rankGuesses(chain, order)) {
    lowest = Math.max(
      lowest,
      chain.findIndex(({ name }) => name === source.name),
    );
    placed.push({ source, place: lowest });
  }
  return placed.toSorted((one, other) => one.place - other.place).map(({ source }) => source);
}

function rankGuesses(chain: readonly NamedSource[], order: readonly SourceName[]): readonly NamedSource[] {
  const guesses = chain.filter(({ explicit }) => !explicit);
  const named = [...new Set(order)].flatMap((name) => guesses.filter((source) => source.name === name));
  const others = guesses.filter((source) => !named.includes(source));
  return [...named, ...others.map(doubt)];
}

function doubt(source: NamedSource): NamedSource {
  return source.trust === 'weak' ? source : { ...source, trust: 'weak' };
}
