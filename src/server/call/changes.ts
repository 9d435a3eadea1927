import type { Root } from '../../path/root.ts';
import type { RootsChange } from '../settings/rootward.ts';
import type { Settings } from '../settings/settings.ts';
import type { Attachment } from './attachments.ts';
import { type CallScope, compositionOutsideCalls } from './composition-for.ts';

/** Tells listeners when the list of a client became another one; an equal list is no change. */
export interface RootsChanges {
  on(listener: (change: RootsChange) => void): () => void;
  /** An answer was kept: maybe it is another one. */
  readonly check: (attachment: Attachment) => void;
  close(): void;
}

export function createChanges(): RootsChanges {
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
      for (const listener of listeners) notify(listener, { sessionId, roots });
    },
    close: () => listeners.clear(),
  };
}

/** The call that brought the change can do nothing about a listener that fails. */
function notify(listener: (change: RootsChange) => void, change: RootsChange): void {
  try {
    listener(change);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

function fingerprint(roots: readonly Root[]): string {
  return JSON.stringify(roots.map(({ uri, name }) => [uri, name]));
}

export interface ChangeFollower {
  /** The client is there, or its roots changed. */
  readonly rootsDue: (attachment: Attachment) => void;
  close(): void;
}

/** Notifications come in storms; what they mean can wait this long. */
const calm = 20;

/**
 * Asks by itself, for servers of one connection that cannot wait for a call. Over HTTP it does nothing: there a
 * question that belongs to no call gets lost.
 */
export function createFollow(settings: Settings): ChangeFollower {
  const timers = new Map<Attachment, NodeJS.Timeout>();
  let closed = false;
  if (!settings.eager && !settings.chdir) return { rootsDue: () => undefined, close: () => undefined };
  return {
    rootsDue(attachment) {
      if (attachment.connection.overHttp) return;
      clearTimeout(timers.get(attachment));
      const follow = (): void => {
        timers.delete(attachment);
        // It was nobody's question: whoever calls next hears what is wrong.
        catchUp({ attachment, settings }, () => closed).catch(() => undefined);
      };
      timers.set(attachment, setTimeout(follow, calm).unref());
    },
    close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

async function catchUp(place: CallScope, isClosed: () => boolean): Promise<void> {
  const { attachment, settings } = place;
  const { connection, roots } = attachment;
  const answer = connection.modern ? connection.memory.current().answer : await roots.ask();
  if (!settings.chdir || answer.state !== 'listed') return;
  const held = await compositionOutsideCalls(place);
  const { composition } = held;
  const location = composition.workspace?.project.location;
  // None of them counts, or exists: the directory stays what it is.
  if (location !== undefined && composition.open.roots.length > 0 && !isClosed()) tryDirectory(location);
  held.release();
}

function tryDirectory(location: string): void {
  try {
    process.chdir(location);
  } catch {
    // It went away in this moment; the next change brings another.
  }
}
