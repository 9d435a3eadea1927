import type { Boundary } from '../../../src/boundary/boundary.ts';
import type { ErrorCode } from '../../../src/errors.ts';

/** What has to be at the end of a path for an operation to do something there; `lost`: nothing, nor above. */
export type TargetKind = 'file' | 'directory' | 'new' | 'lost';

/** Two directories side by side, as plain paths: the root, and the one of a second boundary. */
export interface Places {
  readonly root: string;
  readonly other: string;
}

/** What happens to a link that is the last name of the path. */
export interface LinkRule {
  /** `link`: the boundary follows it, acts on the link itself, or refuses with a code. */
  readonly named: 'followed' | 'itself' | ErrorCode;
  /** `link/` and `link/.` */
  readonly slashed: 'followed' | ErrorCode;
  /** Whether the plain counterpart follows `link`. */
  readonly plainNamed: boolean;
  /** Whether the plain counterpart follows `link/`. */
  readonly plainSlashed: boolean;
}

/** One thing that a boundary can do with a path, and what a program without one would do instead. */
export interface BoundaryOperation {
  readonly name: string;
  /** Kinds of target with which the plain counterpart succeeds, the usual one first. */
  readonly reaches: readonly [TargetKind, ...TargetKind[]];
  readonly effect: 'reads' | 'changes';
  readonly link: LinkRule;
  /** Where a link is found after the operation acted on it; `undefined` if it is no longer there. */
  readonly linkAfterwards?: (places: Places, path: string) => string | undefined;
  readonly run: (boundary: Boundary, path: string, other: Boundary) => Promise<unknown>;
  /** The same with `node:fs`, on the joined path, with a result of the same form. */
  readonly plain: (path: string, places: Places) => unknown;
}

export const follows: LinkRule = {
  named: 'followed',
  slashed: 'followed',
  plainNamed: true,
  plainSlashed: true,
};

/** Creates only what is new: to the system a link is something that exists, so plain calls stop at it. */
export const followsAlone: LinkRule = { ...follows, plainNamed: false, plainSlashed: false };

/** Like the system: the link itself, and never something else with a slash at the end. */
export const actsOnLink: LinkRule = {
  named: 'itself',
  slashed: 'NOT_A_DIRECTORY',
  plainNamed: false,
  plainSlashed: false,
};
