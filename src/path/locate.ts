import { isFileUri, readFileUri } from './file-uri.ts';
import type { NameRules } from './fold.ts';
import { hostPlatform } from './platform.ts';
import { createRootIndex } from './root-index.ts';

/** A path placed in one of several roots, by its text. */
export interface LocatedPath {
  /** The root as it was given. */
  readonly root: string;
  /** The way from there in native form; `.` for the root itself. */
  readonly relative: string;
}

/**
 * The longest root that holds a path, and the way from there. The path is absolute, a file URI, or relative
 * to the only root; `undefined` when no root holds it or it is not acceptable. `..` stays in the result,
 * because a name before it may be a link.
 *
 * For many look-ups in the same roots build the index once: `createRootIndex`.
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
