import { type SourceName, sourceNames } from '../sources/all-sources.ts';

export type ChainPresetName = 'default' | 'adr-009' | 'rfc-0020';

/** A chain: which sources, in which order, and how strictly. */
export interface ChainPreset {
  readonly sources: readonly SourceName[];
  /** Refuse home directories, caches and whole disks where nobody named them on purpose. */
  readonly guard: boolean;
  /** What is known about the client counts: its order of sources, its peculiarities. */
  readonly clientFacts: boolean;
  /** A place that is named must be there; otherwise its text is enough. */
  readonly mustExist: boolean;
  /** The first place that is named counts, and must carry the product's marker. */
  readonly markerRequired: boolean;
  /** A search upward looks for the product's marker alone, and goes past repositories. */
  readonly markerOnly: boolean;
  /** Of several places the first one counts, whatever else could tell. */
  readonly firstOnly: boolean;
  /** Name a project after the path that was named, whatever its manifest says. */
  readonly nameByPath: boolean;
}

export const chainPresets: { readonly [Name in ChainPresetName]: ChainPreset } = {
  default: {
    sources: sourceNames,
    guard: true,
    clientFacts: true,
    mustExist: true,
    markerRequired: false,
    markerOnly: false,
    firstOnly: false,
    nameByPath: false,
  },
  // Roots, then what was remembered, then PWD; never the directory of the process. What is named need not be there.
  'adr-009': {
    sources: ['roots', 'remembered', 'pwd'],
    guard: false,
    clientFacts: false,
    mustExist: false,
    markerRequired: false,
    markerOnly: false,
    firstOnly: true,
    nameByPath: true,
  },
  // Explicit cwd, then roots (also those in initialize), then upward from the process to the marker.
  'rfc-0020': {
    sources: ['argument', 'roots', 'initialize', 'walk-up'],
    guard: false,
    clientFacts: false,
    mustExist: true,
    markerRequired: true,
    markerOnly: true,
    firstOnly: true,
    nameByPath: true,
  },
};
