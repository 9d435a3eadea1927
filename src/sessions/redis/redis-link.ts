import { setTimeout } from 'node:timers/promises';
import { FairWatch, late } from './fair-watch.ts';

/** The part of the engine that is used: commands, and channels. */
export interface RedisLink {
  /** Whether all commands share one connection to one server, so that one silent command means a silent engine. */
  readonly inTurn: boolean;
  /** The connections that carry commands, one per server. */
  lines(): readonly CommandLink[];
  /** The key selects the server of a cluster. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  subscribe(channel: string, listener: (text: string) => void): Promise<void>;
  /** Returns how many subscribers received it. */
  publish(channel: string, text: string): Promise<number>;
  close(): void;
}

/** A connection that carries commands. */
export interface CommandLink {
  ping(): Promise<unknown>;
  /** Drops the connection and opens another. After a machine vanishes, the system itself would wait for minutes. */
  renew(): unknown;
  /** Milliseconds without an answer after which the connection is dropped. */
  readonly silence: number;
}

/** Milliseconds between two rounds of pings. */
const pace = 50;

/** Pings every connection until all of them answer; renews those that stay silent. */
export async function revive(lines: () => readonly CommandLink[], signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const heard = await Promise.all(lines().map((line) => ask(line, signal)));
      if (heard.every((each) => each === 'answer')) return;
      await setTimeout(pace, undefined, { signal, ref: false });
    }
  } catch {
    // The wait was aborted.
  }
}

/** Pings one connection. A server that is reconnecting or loading its data refuses the command. */
async function ask(line: CommandLink, signal: AbortSignal): Promise<'answer' | 'refusal' | 'silence'> {
  const watch = new FairWatch(line.silence);
  const close = (): void => watch.close();
  signal.addEventListener('abort', close);
  try {
    await watch.bound(line.ping());
    return 'answer';
  } catch (error) {
    // The login may not run PING, but the server answered.
    if (String(error).includes('NOPERM')) return 'answer';
    if (error !== late || signal.aborted) return 'refusal';
    line.renew();
    return 'silence';
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
