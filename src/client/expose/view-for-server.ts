import type { RootPermissions } from '../../policy/rules/root-permissions.ts';
import { rootPermissionsFor } from '../store/permissions-for.ts';
import type { StoredRoot, StoreSnapshot } from '../store/stored-root.ts';
import { type RootExposure, judgeExposure } from './exposure.ts';
import { identifyServer } from './server-identity.ts';

/** The access of a server to one root. */
export interface ServerView {
  readonly root: StoredRoot;
  readonly shown: boolean;
  readonly why: string;
  /** Empty if the root is not shown. */
  readonly permissions: RootPermissions;
}

/**
 * Returns the roots as seen by a server that is known by name only. It counts as one that its host starts, and because
 * its program is unknown, a refusal to any program of that name applies.
 */
export function viewForServer(snapshot: StoreSnapshot, name: string, now: Date): readonly ServerView[] {
  const server = identifyServer({ name, tier: 'stdio' });
  const context = { server, snapshot, answers: new Map(), askFor: [], remote: 'none', now } as const;
  return snapshot.roots.map((stored) => {
    const root = forAnyProgram(stored);
    const exposure = judgeExposure(root, { ...context, isUsable: () => true });
    const shown = exposure.state === 'shown';
    const permissions = shown ? rootPermissionsFor(root, server, now) : nothing;
    return { root: stored, shown, why: reasonOf(exposure), permissions };
  });
}

const nothing: RootPermissions = { allow: [], ask: [], deny: [] };

function forAnyProgram(root: StoredRoot): StoredRoot {
  return { ...root, grants: root.grants.map(({ fingerprint: _any, ...grant }) => grant) };
}

/** The store does not know how a host reaches the server, so a reason based on trust is replaced. */
function reasonOf({ rule, reason }: RootExposure): string {
  return rule.startsWith('tier:') ? 'shown by default; a remote server needs consent' : reason;
}
