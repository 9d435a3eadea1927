import type { RootPermissions } from '../../policy/rules/root-permissions.ts';
import { rootPermissionsFor } from '../store/permissions-for.ts';
import type { StoredRoot, StoreSnapshot } from '../store/stored-root.ts';
import { type RootExposure, judgeExposure } from './exposure.ts';
import { identifyServer } from './server-identity.ts';

/** What a server gets of one root. */
export interface ServerView {
  readonly root: StoredRoot;
  readonly shown: boolean;
  readonly why: string;
  /** Nothing, where it is not shown. */
  readonly permissions: RootPermissions;
}

/**
 * What the store has for a server that is known by its name alone, as one that its host starts itself: which
 * program that is, nobody here can know. A no to whatever went by the name is therefore a no.
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

/** How a host reaches a server, the store does not know. */
function reasonOf({ rule, reason }: RootExposure): string {
  return rule.startsWith('tier:') ? 'nobody said otherwise; a remote server needs a yes' : reason;
}
