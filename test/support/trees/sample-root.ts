import type { StoredRoot } from '../../../src/client/store/stored-root.ts';

/** A root as a store would give it. */
export function sampleRoot(changes: Partial<StoredRoot> = {}): StoredRoot {
  const { name = 'app' } = changes;
  return {
    uri: `file:///srv/${name}`,
    path: `/srv/${name}`,
    name,
    kind: 'unknown',
    permissions: {},
    servers: {},
    grants: [],
    ...changes,
  };
}
