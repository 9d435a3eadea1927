import type { Root } from '../../path/root.ts';
import type { Attachment } from './attachment.ts';
import type { RootsChange } from '../settings/rootward.ts';

/** Tells listeners when the list of a client became another one; an equal list is no change. */
export interface Changes {
  on(listener: (change: RootsChange) => void): () => void;
  /** An answer was kept: maybe it is another one. */
  readonly check: (attachment: Attachment) => void;
  close(): void;
}

export function createChanges(): Changes {
  const listeners = new Set<(change: RootsChange) => void>();
  const last = new WeakMap<Attachment, string>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    check(attachment) {
      const { memory, sessionId } = attachment.connection;
      const { answer } = memory.current();
      const roots = answer.state === 'listed' ? answer.roots : [];
      const text = fingerprint(roots);
      const before = last.get(attachment);
      last.set(attachment, text);
      // The first answer is the beginning of what can change.
      if (before === undefined || before === text) return;
      for (const listener of listeners) tell(listener, { sessionId, roots });
    },
    close: () => listeners.clear(),
  };
}

/** The call that brought the change can do nothing about a listener that fails. */
function tell(listener: (change: RootsChange) => void, change: RootsChange): void {
  try {
    listener(change);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

function fingerprint(roots: readonly Root[]): string {
  return JSON.stringify(roots.map(({ uri, name }) => [uri, name]));
}
