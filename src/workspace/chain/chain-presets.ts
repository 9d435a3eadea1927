import { type SourceName, sourceNames } from '../sources/all-sources.ts';

export type ChainPresetName = 'default' | 'adr-009' | 'rfc-0020';

/** A chain: its sources, their order, and how strict it is. */
export interface ChainPreset {
  readonly sources: readonly SourceName[];
  /** Refuses home directories, caches and whole disks that were not named explicitly. */
  readonly guard: boolean;
  /** Applies the client's profile: its order of sources, its quirks. */
  readonly clientFacts: boolean;
  /** A named place must exist; otherwise its text is enough. */
  readonly mustExist: boolean;
  /** The first named place counts, and must contain the product's marker. */
  readonly markerRequired: boolean;
  /** A search upward looks only for the product's marker, and passes repositories. */
  readonly markerOnly: boolean;
  /** Of several places the first one counts, whatever other signals say. */
  readonly firstOnly: boolean;
  /** Names a project after its path, not after its manifest. */
  readonly nameByPath: boolean;
  /** The last name found stays while the client does not name another, also after a change; it opens nothing. */
  readonly keepsName: boolean;
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
    keepsName: false,
  },
  // Roots, then the remembered project, then PWD; never the directory of the process. Places need not exist.
  'adr-009': {
    sources: ['roots', 'remembered', 'pwd'],
    guard: false,
    clientFacts: false,
    mustExist: false,
    markerRequired: false,
    markerOnly: false,
    firstOnly: true,
    nameByPath: true,
    keepsName: true,
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
    keepsName: false,
  },
};

export const chainPresetNames: readonly ChainPresetName[] = Object.keys(chainPresets) as ChainPresetName[];
