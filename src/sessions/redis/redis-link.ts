import { setTimeout } from 'node:timers/promises';
import { FairWatch, late } from './fair-watch.ts';

/** The engine, as far as it is used: commands, and channels that go where their name leads. */
export interface RedisLink {
  /** Whether all commands go to one server, on one connection: if it is silent to one, it is to all. */
  readonly inTurn: boolean;
  /** The connections on which commands go out, to each server one. */
  lines(): readonly CommandLink[];
  /** The key says which part of a cluster is meant. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  subscribe(channel: string, listener: (text: string) => void): Promise<void>;
  /** How many heard it. */
  publish(channel: string, text: string): Promise<number>;
  close(): void;
}

/** A connection on which commands go out. */
export interface CommandLink {
  ping(): Promise<unknown>;
  /** Gives it up and seeks another one: where a machine is gone without a word, the system waits for minutes. */
  renew(): unknown;
  /** Milliseconds without an answer after which it is given up. */
  readonly silence: number;
}

/** How often they are asked, in milliseconds. */
const pace = 50;

/** Asks the lines that there are until all of them answer. One that is silent is given up for another. */
export async function revive(lines: () => readonly CommandLink[], signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const heard = await Promise.all(lines().map((line) => ask(line, signal)));
      if (heard.every((each) => each === 'answer')) return;
      await setTimeout(pace, undefined, { signal, ref: false });
    }
  } catch {
    // Nobody wants to know any more.
  }
}

/** Nothing is asked of who is just being sought, or still reads its files: it refuses. */
async function ask(line: CommandLink, signal: AbortSignal): Promise<'answer' | 'refusal' | 'silence'> {
  const watch = new FairWatch(line.silence);
  const close = (): void => watch.close();
  signal.addEventListener('abort', close);
  try {
    await watch.bound(line.ping());
    return 'answer';
  } catch (error) {
    // Whoever may not ask it has been heard all the same.
    if (String(error).includes('NOPERM')) return 'answer';
    if (error !== late || signal.aborted) return 'refusal';
    line.renew();
    return 'silence';
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
