import type { Operation } from './operation.ts';

/** Everything that a boundary can do to a disk. `moved-here` and `moved-away` are the two ends of a rename. */
export const changeKinds = [
  'made',
  'written',
  'removed',
  'moved-here',
  'moved-away',
  'mode',
  'started',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** Something that is different on the disk now. */
export interface DiskChange {
  readonly kind: ChangeKind;
  /** Real names from the root, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** How many entries; one unless it says otherwise. */
  readonly count?: number;
}

/** What was asked of a boundary, as far as a witness needs it. */
export interface Asked {
  readonly operation: Operation;
  readonly path: string;
}

/** Follows what a boundary does. */
export interface Witness {
  /** Asked right before a place is acted on: the path of the request led there, and it is no link. An error stops it. */
  readonly about: (request: Asked, relative: string) => Error | undefined;
  /** Told right after the system has done it, before anything else can fail. */
  readonly changed: (change: DiskChange) => void;
}

/** Asks the witness about the place that is acted on next. */
export function tellAbout(
  { witness }: { readonly witness?: Witness | undefined },
  request: Asked,
  relative: string,
): void {
  const refused = witness?.about(request, relative);
  if (refused !== undefined) throw refused;
}

/** The same witness for a boundary that begins further down. */
export function witnessBelow({ about, changed }: Witness, prefix: string): Witness {
  const above = (relative: string): string => [prefix, relative].filter((part) => part !== '').join('/');
  return {
    about: (request, relative) => about(request, above(relative)),
    changed: (change) => changed({ ...change, relative: above(change.relative) }),
  };
}
