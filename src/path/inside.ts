import { nameKey, type NameRules } from './fold.ts';
import { hostPlatform } from './platform.ts';
import { climbs, splitPath } from './split-path.ts';

/**
 * Whether an absolute path is the parent itself or lies beneath it, by its text alone. Compares component by
 * component, so `/app-old` is not inside `/app`, and `..` may not climb above the parent even to come back.
 * An invalid path is inside nothing.
 *
 * Text does not show links: to touch the file, go through a `Boundary`.
 *
 * @example
 * ```ts
 * isInside('/app', '/app/src/main.ts', { platform: 'posix' }) // → true
 * isInside('/app', '/app-old/main.ts', { platform: 'posix' }) // → false
 * isInside('/app', '/app/../app/main.ts', { platform: 'posix' }) // → false
 * isInside('C:\\App', 'c:/app/main.ts', { platform: 'win32' }) // → true
 * ```
 */
export function isInside(parent: string, child: string, rules: Partial<NameRules> = {}): boolean {
  const { platform = hostPlatform } = rules;
  const above = splitPath(parent, platform);
  const below = splitPath(child, platform);
  if ('fault' in above || 'fault' in below) return false;
  if (above.prefix === '' || above.components.includes('..')) return false;
  const key = nameKey({ ...rules, platform });
  return (
    key(above.prefix) === key(below.prefix) &&
    above.components.every((name, index) => key(name) === key(below.components[index] ?? '')) &&
    !climbs(below.components, above.components.length)
  );
}
