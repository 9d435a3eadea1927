import path from 'node:path';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import { nameKey } from '../../path/fold.ts';
import { expandHome, type PathContext } from './root-record.ts';
import type { StoredRoot } from './stored-root.ts';

/**
 * Where a root is that goes by this name, path or file URI. What reads like a place is one: a root that is called
 * like the path of another must never be taken for it.
 */
export function indexOfRoot(
  roots: readonly StoredRoot[],
  which: string,
  context: PathContext,
): number | undefined {
  const index = isPlace(which, context)
    ? indexOfPlace(roots, which, context)
    : roots.findIndex(({ name }) => name === which);
  return index === -1 ? undefined : index;
}

function isPlace(which: string, { platform }: PathContext): boolean {
  return isFileUri(which) || /^~[\\/]/.test(which) || path[platform].isAbsolute(which);
}

function indexOfPlace(roots: readonly StoredRoot[], which: string, context: PathContext): number {
  const { platform } = context;
  const place = isFileUri(which) ? readFileUri(which, { platform }) : expandHome(which, context);
  if (typeof place !== 'string') return -1;
  const key = nameKey(context);
  const wanted = key(withoutSlash(place, context));
  return roots.findIndex((root) => key(root.path) === wanted);
}

function withoutSlash(place: string, { platform }: PathContext): string {
  return place.replace(platform === 'win32' ? /(?<=[^:\\/])[\\/]+$/ : /(?<=[^/])\/+$/, '');
}
