import { type Anchors, createAnchors } from '../../workspace/anchors.ts';
import { type Compositions, createCompositions } from './held-compositions.ts';

/** Keeps the workspaces of HTTP sessions open between requests, where each request has a server of its own. */
export interface WorkspaceKeeper {
  /** @internal What roots have been so far, over all sessions. */
  readonly anchors: Anchors;
  /** Of a session; whoever asks must not close it. */
  of(sessionId: string): Compositions;
  close(): void;
}

/** Sessions at a time; the one that was silent for longest goes first. */
const most = 1_000;

/**
 * Makes one, for `attach` in a factory that builds a server per request.
 *
 * @example
 * ```ts
 * const keeper = createWorkspaceKeeper();
 * keeper.of('session-1') === keeper.of('session-1') // → true
 * keeper.close();
 * ```
 */
export function createWorkspaceKeeper(freshness = 5_000): WorkspaceKeeper {
  // Whoever was heard of last stands last.
  const sessions = new Map<string, Compositions>();
  const makeRoom = (): void => {
    for (const [sessionId, compositions] of sessions) {
      if (sessions.size < most) return;
      sessions.delete(sessionId);
      compositions.close();
    }
  };
  return {
    anchors: createAnchors(),
    of(sessionId) {
      const existing = sessions.get(sessionId);
      if (existing === undefined) makeRoom();
      const compositions = existing ?? createCompositions(freshness);
      sessions.delete(sessionId);
      sessions.set(sessionId, compositions);
      return compositions;
    },
    close() {
      for (const compositions of sessions.values()) compositions.close();
      sessions.clear();
    },
  };
}
