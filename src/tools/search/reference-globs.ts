/**
 * Globs as the reference file server reads them, written as ours. There a name without a slash is meant at
 * the top only, and `docs/**` is what lies in `docs`, not `docs` itself.
 */
export function referenceGlob(pattern: string): string {
  // What is no glob of ours stays as it is, to be refused by its own words.
  if (pattern === '' || pattern.startsWith('!')) return pattern;
  const anchored = pattern.startsWith('/') ? pattern : `/${pattern}`;
  return anchored.endsWith('/**') && anchored !== '/**' ? `${anchored}/*` : anchored;
}

/** What the reference leaves out of a tree: a name without a star is meant at any depth. */
export function referenceTreeExclusion(pattern: string): readonly string[] {
  if (pattern.includes('*')) return [referenceGlob(pattern)];
  return [referenceGlob(pattern), referenceGlob(`**/${pattern}`)];
}
