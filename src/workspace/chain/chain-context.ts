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
  /** The product's own markers, files or directories; they take precedence over a repository. */
  readonly markers?: readonly string[];
  /** Greatest number of levels to search upward; at most 20. */
  readonly levels?: number;
  /** Additional client profiles, checked before the built-in ones. */
  readonly profiles?: readonly Profile[];
  /**
   * The effective roots. A place outside of all of them is refused, whichever source named it, and so is a
   * project found outside; with an empty list, everything is refused. Without it, only places that the caller
   * chose are restricted, to the directories of the operator or the client. Links are followed once, during
   * this check; later the boundary that opens the place enforces it.
   */
  readonly within?: readonly Root[];
  /** The call requires a single project: report `ambiguous` rather than take the first. */
  readonly needsOne?: boolean;
  /** Tells which of several places a person chose before, where no signal tells them apart. */
  readonly choose?: (places: readonly string[]) => Promise<string | undefined>;
  /** Home directory and similar places; those of this machine by default. */
  readonly around?: Partial<MachinePlaces>;
  readonly disk?: Disk;
  readonly signal?: AbortSignal;
}

/** Options and signals combined. */
export interface ChainContext {
  readonly signals: Signals;
  readonly name: ChainPresetName;
  readonly preset: ChainPreset;
  readonly chain: readonly NamedSource[];
  readonly profile: Profile | undefined;
  readonly markers: readonly string[];
  readonly levels: number;
  readonly needsOne: boolean;
  readonly choose: ResolveOptions['choose'];
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
    signals: preset.keepsName ? withKeptName(signals) : signals,
    name,
    preset,
    chain: chainOf(preset, options, profile),
    profile,
    markers: preset.markerOnly && markers.length === 0 ? ['.blue'] : markers,
    levels: Math.min(levels, mostLevels),
    needsOne: options.needsOne ?? false,
    choose: options.choose,
    within,
    judge: { ...machine, guard, mustExist, bound: boundOf(signals, { guard, within }, machine) },
    signal: options.signal,
  };
}

/** A question that failed, or an empty list, does not end the name that was found before. */
function withKeptName(signals: Signals): Signals {
  const { roots } = signals;
  if (roots?.state === 'failed') return { ...signals, roots: { ...roots, afterChange: false } };
  return roots?.state === 'empty' ? { ...signals, roots: { ...roots, revoked: false } } : signals;
}

interface Machine {
  readonly around: MachinePlaces;
  readonly disk: Disk;
}

export function profileOf({ client }: Signals, { profiles = [] }: ResolveOptions): Profile | undefined {
  return mergeProfiles(findProfile(profiles, client?.name), findProfile(allProfiles, client?.name));
}

/** Explicit sources keep their order; otherwise the profile of the client may lower some. */
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

/**
 * The places allowed by a party other than the caller: the effective roots, else the operator's, else the
 * client's.
 */
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
 * Arranges the chain for one client. Explicit sources keep their place, and a guess only moves down: behind
 * the guesses that the order lists before it, or, if the order omits it, behind all that it lists, and then
 * its trust is weak.
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
