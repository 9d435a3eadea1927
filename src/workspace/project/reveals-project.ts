import type { FoundMarker, FoundMarkers } from './find-markers.ts';
import type { Marker } from '../ecosystems/markers.ts';

/** What is around a directory. */
export interface Around {
  /** What the directory right above it holds. */
  readonly above: FoundMarkers | undefined;
  /** Whether it lies in a repository, or in a project that more than a weak marker reveals. */
  readonly isWithin: boolean;
}

/**
 * Whether what a directory holds makes it a project of its own. The same rules as upward: weak markers count
 * only where nothing better is around, and markers that repeat only at the top of their chain.
 */
export function revealsProject({ product, known }: FoundMarkers, { above, isWithin }: Around): boolean {
  if (product.length > 0 || known.some(({ marker }) => marker.kind === 'repository')) return true;
  const manifest = known.find(({ marker }) => marker.kind === 'manifest' && !marker.weak);
  if (manifest !== undefined && !continues(manifest, above)) return true;
  const weak = known.find(({ marker }) => marker.weak);
  return weak !== undefined && !isWithin && !continues(weak, above);
}

/** Whether more than a weak marker reveals it. */
export function isStrong({ product, known }: FoundMarkers): boolean {
  return product.length > 0 || known.some(({ marker }) => !marker.weak);
}

function continues(
  { marker: { repeats, ecosystem } }: FoundMarker,
  above: FoundMarkers | undefined,
): boolean {
  const isSame = (marker: Marker): boolean => marker.repeats && marker.ecosystem === ecosystem;
  return repeats && above !== undefined && above.known.some(({ marker }) => isSame(marker));
}
