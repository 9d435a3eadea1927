import type { Root } from '../path/root.ts';
import type { Disk } from './disk.ts';
import type { Surroundings } from './guard.ts';
import type { JudgeContext } from './judge-place.ts';
import { type ChainPreset, type PresetName, presets } from './presets.ts';
import { findProfile, mergeProfiles, type Profile } from './profile.ts';
import { allProfiles } from './profiles/all-profiles.ts';
import type { RootSource, SourceName } from './root-source.ts';
import type { Signals } from './signals.ts';
import { allSources } from './sources/all-sources.ts';

export interface ResolveOptions {
  readonly preset?: PresetName;
  /** Replaces the sources of the preset. */
  readonly sources?: readonly SourceName[];
  /** The product's own markers, files or directories; they count more than a repository. */
  readonly markers?: readonly string[];
  /** How far up a search goes; 20 at most. */
  readonly levels?: number;
  /** More client facts; they are looked at before the built-in ones. */
  readonly profiles?: readonly Profile[];
  /** The call cannot do with several projects: say `ambiguous` rather than take the first. */
  readonly needsOne?: boolean;
  /** Home directory and the like; of this machine by default. */
  readonly around?: Partial<Surroundings>;
  readonly disk?: Disk;
  readonly signal?: AbortSignal;
}

/** Options and signals, put together once. */
export interface ChainContext {
  readonly signals: Signals;
  readonly name: PresetName;
  readonly preset: ChainPreset;
  readonly chain: readonly RootSource[];
  readonly profile: Profile | undefined;
  readonly markers: readonly string[];
  readonly levels: number;
  readonly needsOne: boolean;
  readonly judge: JudgeContext;
  readonly signal: AbortSignal | undefined;
}

const mostLevels = 20;

export function createChainContext(
  signals: Signals,
  options: ResolveOptions,
  { around, disk }: { readonly around: Surroundings; readonly disk: Disk },
): ChainContext {
  const { preset: name = 'default', markers = [], profiles = [], levels = mostLevels } = options;
  const preset = presets[name];
  const client = signals.client?.name;
  return {
    signals,
    name,
    preset,
    chain: (options.sources ?? preset.sources).map((source) => allSources[source]),
    profile: mergeProfiles(findProfile(profiles, client), findProfile(allProfiles, client)),
    markers: preset.markerOnly && markers.length === 0 ? ['.blue'] : markers,
    levels: Math.min(levels, mostLevels),
    needsOne: options.needsOne ?? false,
    judge: { around, disk, guard: preset.guard, bound: preset.guard ? allowed(signals) : [] },
    signal: options.signal,
  };
}

/** What somebody other than the caller allowed: the operator, or the client. */
function allowed({ ceiling = [], roots }: Signals): readonly string[] {
  const listed: readonly Root[] = roots?.state === 'listed' ? roots.roots : [];
  return (ceiling.length > 0 ? ceiling : listed).map(({ path }) => path);
}
