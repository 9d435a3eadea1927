import type { Root } from '../../path/root.ts';
import type { RootsChange } from '../settings/rootward.ts';
import type { Settings } from '../settings/settings.ts';
import type { Attachment } from './attachments.ts';
import { type CallScope, compositionOutsideCalls } from './composition-for.ts';

/** Notifies listeners when a client's list of roots has changed. An equal list is no change. */
export interface RootsChanges {
  on(listener: (change: RootsChange) => void): () => void;
  /** Called when an answer was stored; compares it with the one before. */
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
      // The first answer is what later ones are compared with.
      if (before === undefined || before === text) return;
      for (const listener of listeners) notify(listener, { sessionId, roots });
    },
    close: () => listeners.clear(),
  };
}

/** Calls a listener. If it fails, the call that caused the change must not. */
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
  /** The client has initialized, or its roots changed. */
  readonly rootsDue: (attachment: Attachment) => void;
  close(): void;
}

/** Milliseconds to collect notifications, which come in bursts. */
const calm = 20;

/**
 * Asks for the roots without waiting for a call, for servers with a single connection. Over HTTP it does nothing,
 * because a question outside a call has no stream to travel on.
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
        // No call is waiting. The next one reports the problem.
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
  // A list without a root that exists counts like an empty one by now, and the working directory stays.
  const isUsable = connection.memory.current().answer.state === 'listed' && composition.open.roots.length > 0;
  if (location !== undefined && isUsable && !isClosed()) tryDirectory(location);
  held.release();
}

function tryDirectory(location: string): void {
  try {
    process.chdir(location);
  } catch {
    // The directory vanished at this moment; the next change brings another.
  }
}
