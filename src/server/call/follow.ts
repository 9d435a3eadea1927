import type { Attachment } from './attachment.ts';
import type { Settings } from '../settings/settings.ts';
import { type Place, viewNow } from './view.ts';

export interface Follow {
  /** The client is there, or its roots changed. */
  readonly stirred: (attachment: Attachment) => void;
  close(): void;
}

/** Notifications come in storms; what they mean can wait this long. */
const calm = 20;

/**
 * Asks by itself, for servers of one connection that cannot wait for a call. Over HTTP it does nothing: there a
 * question that belongs to no call gets lost.
 */
export function createFollow(settings: Settings): Follow {
  const timers = new Map<Attachment, NodeJS.Timeout>();
  let closed = false;
  if (!settings.eager && !settings.chdir) return { stirred: () => undefined, close: () => undefined };
  return {
    stirred(attachment) {
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

async function catchUp(place: Place, isClosed: () => boolean): Promise<void> {
  const { attachment, settings } = place;
  const { connection, roots } = attachment;
  const answer = connection.modern ? connection.memory.current().answer : await roots.ask();
  if (!settings.chdir || answer.state !== 'listed') return;
  const held = await viewNow(place);
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
