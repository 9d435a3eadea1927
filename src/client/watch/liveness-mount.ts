import type { Mount } from '../../boundary/system/mount-table.ts';
import { isInside } from '../../path/inside.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';

/** Where systems mount what people plug in or connect. What is missing there is hardly deleted. */
const mountHomes: { readonly [Name in Platform]: readonly string[] } = {
  posix: ['/media', '/run/media', '/mnt', '/Volumes'],
  win32: [],
};

/**
 * Whether a path that is not there would be on a mount that is not there: it lies where only mounts lie, and
 * on none of them; or on a drive that the system does not know.
 */
export function liesOnNoMount(
  path: string,
  mount: Mount | undefined,
  platform: Platform = hostPlatform,
): boolean {
  if (mount === undefined) return true;
  const beneath = (home: string, place: string): boolean =>
    isInside(home, place, { platform }) && !isInside(place, home, { platform });
  return mountHomes[platform].some((home) => beneath(home, path) && !beneath(home, mount.point));
}
