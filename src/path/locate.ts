import { isFileUri, readFileUri } from './file-uri.ts';
import type { NameRules } from './fold.ts';
import { hostPlatform } from './platform.ts';
import { createRootIndex } from './root-index.ts';

/** A path and the root that holds it, by text alone. */
export interface LocatedPath {
  /** The root as it was given. */
  readonly root: string;
  /** The path from that root, in native form; `.` for the root itself. */
  readonly relative: string;
}

/**
 * Finds the longest root that holds a path, and the path from there. The path is absolute, a file URI, or
 * relative to the only root. Returns `undefined` when no root holds it or the path is invalid. `..` stays in
 * the result, because a name before it may be a link.
 *
 * For many lookups in the same roots, build an index once with `createRootIndex`.
 *
 * @example
 * ```ts
 * locate(['/app', '/app/docs'], '/app/docs/a.md', { platform: 'posix' }) // → { root: '/app/docs', relative: 'a.md' }
 * locate(['/app'], 'src/main.ts', { platform: 'posix' }) // → { root: '/app', relative: 'src/main.ts' }
 * locate(['/app'], '/app-old/x', { platform: 'posix' }) // → undefined
 * ```
 */
export function locate(
  roots: readonly string[],
  path: string,
  rules: Partial<NameRules> = {},
): LocatedPath | undefined {
  const { platform = hostPlatform } = rules;
  const native = isFileUri(path) ? readFileUri(path, { platform, whole: true, unc: true }) : path;
  if (typeof native !== 'string') return undefined;
  const index = createRootIndex(
    roots.map((root) => [root, root] as const),
    { ...rules, platform },
  );
  const placement = index.place(native);
  return placement && { root: placement.root, relative: placement.relative };
}
