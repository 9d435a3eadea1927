import { join, posix, sep } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import type { Guard } from '../../boundary/step/context.ts';
import { RootwardError } from '../../errors.ts';
import type { PlaceScope } from '../../policy/asked-place.ts';
import { createLocationGuard, denied } from '../../policy/decide.ts';
import type { Disk } from '../../workspace/chain/disk.ts';
import type { Location } from '../../workspace/workspace.ts';

/**
 * The disk as the project search sees it: denied places do not exist, and manifests that must not be read have no
 * name. Otherwise a model could learn through `cwd` or a switch what no tool would tell it.
 */
export function diskUnderRules(disk: Disk, scope: PlaceScope): Disk {
  return {
    ...disk,
    ...(disk.lookWithin && {
      async lookWithin(directory: string, relative: string) {
        const location = scope.workspace.locate(join(directory, relative));
        const isHidden = location !== undefined && (await isDenied(scope, location));
        return isHidden ? undefined : disk.lookWithin?.(directory, relative);
      },
    }),
    describe(directory) {
      const location = scope.workspace.locate(directory);
      return disk.describe(directory, location && guardAt(scope, location));
    },
  };
}

/** The roots that are directories, as far as their rules let them be seen. */
export function rootsUnderRules(scope: PlaceScope): readonly Boundary[] {
  return scope.workspace.roots
    .filter(({ boundary }) => boundary.kind === 'directory')
    .map((root) => root.boundary.guarded(guardAt(scope, { ...root, relative: '.' })));
}

/** Uses deny rules only: a directory that cannot be listed can still be a project. */
async function isDenied(scope: PlaceScope, { boundary, ...location }: Location): Promise<boolean> {
  const guard = guardAt(scope, { boundary, ...location, relative: '.' });
  const onlyRules: Guard = (operation, relative) => guard(operation, relative, false);
  try {
    await boundary.guarded(onlyRules).probe('list', location.relative, { missing: true });
    return false;
  } catch (error) {
    return RootwardError.is(error, 'DENIED');
  }
}

/** The rules for names below this location. */
function guardAt(scope: PlaceScope, location: Location): Guard {
  const judge = createLocationGuard(scope, location);
  const top = location.relative.replaceAll(sep, '/');
  return (operation, relative, last) => {
    const path = posix.join(top, relative);
    const objection = judge(operation, path, last);
    return objection && denied({ operation, path }, objection);
  };
}
