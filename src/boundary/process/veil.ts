import type { Directory } from '../system/driver.ts';

/**
 * What is done to one entry of the root in a sandbox.
 *
 * - `hide`: nothing in it can be read. It is there, and empty.
 * - `protect`: it can be read and not changed.
 * - `pin`: it can be neither renamed nor removed, because something beneath it is hidden or protected and a
 *   rule may go by its path.
 */
export type Veil =
  | { readonly cover: 'hide'; readonly path: string; readonly directory: boolean }
  | { readonly cover: 'protect' | 'pin'; readonly path: string; readonly held: Directory };

/** Every veil of a tree, those above before those beneath. Whoever gets them closes them. */
export interface Veils extends Disposable {
  readonly veils: readonly Veil[];
  /** Directories and files that are hidden. */
  readonly hidden: number;
}
