import { currentVersion } from './store-document.ts';

type Members = Readonly<Record<string, unknown>>;

/** From each older version to the next. Adding a version is adding a step. */
const steps: Readonly<Record<number, (value: Members) => Members>> = {
  // A list of roots as clients send it, or of paths, that somebody wrote down: no version, nothing but roots.
  0: ({ version: _version, roots, ...rest }) => ({
    version: 1,
    revision: 0,
    ...rest,
    roots: Array.isArray(roots) ? roots.map(toRecord) : roots,
  }),
};

/** What an older file says, as it would be written today. Says the same as before, and no more. */
export function migrateStore(value: Members, version: number): Members {
  const step = steps[version];
  return step === undefined || version >= currentVersion ? value : migrateStore(step(value), version + 1);
}

function toRecord(entry: unknown): unknown {
  if (typeof entry === 'string') return entry.startsWith('file:') ? { uri: entry } : { path: entry };
  if (typeof entry !== 'object' || entry === null || !('_meta' in entry)) return entry;
  const { _meta, ...rest } = entry;
  return rest;
}
