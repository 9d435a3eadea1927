import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';
import { reach } from '../tool/reach.ts';
import type { ToolCall } from '../tool/tool.ts';

/**
 * Looks at one directory, or at every root that is one. A root that may not be looked at, or is one file, is
 * left out, unless nothing else is there; a path that somebody named is refused.
 */
export async function eachPlace<Found>(
  call: ToolCall,
  path: string | undefined,
  look: (location: Location) => Promise<Found>,
): Promise<readonly Found[]> {
  if (path !== undefined) return [await reach(call, { operation: 'read', path }, look)];
  const { roots } = await call.workspace();
  const found: Found[] = [];
  let refused: RootwardError | undefined;
  for (const root of roots) {
    try {
      found.push(await reach(call, { operation: 'read', path: root.path }, look));
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
      refused ??= error;
    }
  }
  if (found.length === 0 && refused !== undefined) throw refused;
  return found;
}
