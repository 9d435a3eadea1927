import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import type { Grant, StoredServer } from './stored-root.ts';

/** The version of the file format that this code writes. */
export const currentVersion = 1;

/** The content of the file, as written. */
export interface StoreDocument {
  readonly version: number;
  readonly revision: number;
  readonly roots: readonly RootRecord[];
  readonly servers?: Readonly<Record<string, StoredServer>>;
}

/** One root in the file, with either `path` or `uri`. */
export interface RootRecord extends PermissionConfig {
  /** May begin with `~/`. */
  readonly path?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly added?: string;
  readonly servers?: Readonly<Record<string, PermissionConfig>>;
  readonly grants?: readonly Grant[];
}

/** The text of a new file. Its comments belong to the user from then on. */
export const newStore: string = `// The roots that MCP servers may see, what they may do there, and what you answered when asked.
// Edit it as you like: comments stay, and open programs follow within a second.
{
  "version": ${currentVersion},
  "revision": 0,
  "roots": []
}
`;
