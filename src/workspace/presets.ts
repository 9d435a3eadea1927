import { type SourceName } from './root-source.ts';
import { allSources } from './sources/all-sources.ts';

export type PresetName = 'default' | 'adr-009' | 'rfc-0020';

/** A chain: which sources, in which order, and how strictly. */
export interface ChainPreset {
  readonly sources: readonly SourceName[];
  /** Refuse home directories, caches and whole disks where nobody named them on purpose. */
  readonly guard: boolean;
  /** The first place that is named counts, and must carry the product's marker. */
  readonly markerRequired: boolean;
  /** A search upward looks for the product's marker alone, and goes past repositories. */
  readonly markerOnly: boolean;
  /** Of several places the first one counts, whatever else could tell. */
  readonly firstOnly: boolean;
  /** Name a project after its directory, whatever its manifest says. */
  readonly nameByDirectory: boolean;
}

export const presets: { readonly [Name in PresetName]: ChainPreset } = {
  default: {
    sources: Object.keys(allSources) as SourceName[],
    guard: true,
    markerRequired: false,
    markerOnly: false,
    firstOnly: false,
    nameByDirectory: false,
  },
  // Roots, then what was remembered, then PWD; never the directory of the process.
  'adr-009': {
    sources: ['roots', 'remembered', 'pwd'],
    guard: false,
    markerRequired: false,
    markerOnly: false,
    firstOnly: true,
    nameByDirectory: true,
  },
  // Explicit cwd, then roots (also those in initialize), then upward from the process to the marker.
  'rfc-0020': {
    sources: ['argument', 'roots', 'initialize', 'walk-up'],
    guard: false,
    markerRequired: true,
    markerOnly: true,
    firstOnly: true,
    nameByDirectory: true,
  },
};
