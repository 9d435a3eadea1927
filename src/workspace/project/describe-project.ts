import type { Guard } from '../../boundary/step/context.ts';
import { describeByText } from './describe-by-text.ts';
import { describeFinding, type Finding } from './describe-finding.ts';
import { findMarkers, type FoundMarkers } from './find-markers.ts';
import { openPlace, realPathOf } from './open-place.ts';
import type { Project } from './project.ts';

/** A directory that somebody named, as the project it is: whatever marks it, if anything does. */
export async function describeProject(
  directory: string,
  product: readonly string[] = [],
  guard?: Guard,
): Promise<Project> {
  await using boundary = await openPlace(directory);
  if (boundary?.kind !== 'directory') return describeByText(directory);
  const found =
    guard === undefined
      ? await findMarkers(boundary, { product })
      : await findMarkers(boundary.guarded(guard), { product, within: true });
  const finding = { directory: realPathOf(boundary), found, ...judge(found) };
  return await describeFinding(finding, directory, guard === undefined ? {} : { guard });
}

function judge({ product, known: [best] }: FoundMarkers): Pick<Finding, 'kind' | 'decider'> {
  if (product.length > 0) return { kind: 'marker' };
  return best === undefined ? { kind: 'directory' } : { kind: best.marker.kind, decider: best };
}
