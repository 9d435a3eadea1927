import { RootwardError } from '../../errors.ts';

/**
 * How strong the guarantee is that nothing outside the root is touched.
 *
 * - `kernel` (Linux): every step is relative to an open directory and follows no link. Holds against a
 *   process that renames and links inside the root at the same time.
 * - `open-only` (macOS): opening is one call that follows no link at all; creating, renaming and removing
 *   check the parent before they act, and a race in that moment is possible.
 * - `verified` (Windows, and Linux without `/proc`): names are checked, opened, and compared by identity.
 *   Holds against everything that does not race.
 */
export type BoundaryLevel = 'kernel' | 'open-only' | 'verified';

const strength: { readonly [Level in BoundaryLevel]: number } = { verified: 1, 'open-only': 2, kernel: 3 };

/** What a system can do at best; less than that is refused unless the caller asks for less. */
export function bestLevel(system: NodeJS.Platform): BoundaryLevel {
  if (system === 'linux') return 'kernel';
  return system === 'darwin' ? 'open-only' : 'verified';
}

export function requireStrength(level: BoundaryLevel, required: BoundaryLevel): void {
  if (strength[level] < strength[required]) throw new RootwardError('WEAK_LEVEL', { level, required });
}
