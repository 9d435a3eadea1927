import { RootwardError } from '../../errors.ts';
import { FairWatch, late } from './fair-watch.ts';
import { type RedisLink, revive } from './redis-link.ts';
import { redisScripts, type ScriptName } from './redis-scripts.ts';

/** How one command went, for measurements. */
export interface EngineCommand {
  readonly name: string;
  readonly milliseconds: number;
  readonly ok: boolean;
}

export interface EngineOptions {
  readonly link: RedisLink;
  /** Milliseconds until a caller stops waiting. */
  readonly patience: number;
  readonly observe?: ((command: EngineCommand) => void) | undefined;
}

interface EngineWait {
  /** Whether the wait has ended, with or without an answer. */
  readonly over: boolean;
}

type Keys = readonly [string, ...string[]];

/**
 * Runs scripts in the engine. Every failure has one shape and comes quickly. After the engine has been silent for
 * too long, commands fail at once until it answers a ping.
 */
export class RedisEngine {
  readonly #link: RedisLink;
  readonly #patience: number;
  readonly #watch: FairWatch;
  readonly #observe: ((command: EngineCommand) => void) | undefined;
  readonly #closing = new AbortController();
  #doubted = false;

  constructor({ link, patience, observe }: EngineOptions) {
    this.#link = link;
    this.#patience = patience;
    this.#watch = new FairWatch(patience);
    this.#observe = observe;
  }

  /** Whether the engine is known to be silent, so that asking is pointless. */
  get silent(): boolean {
    return this.#doubted && this.#link.inTurn;
  }

  run(name: ScriptName, keys: Keys, args: readonly string[] = []): Promise<unknown> {
    const { sha, lua } = redisScripts[name];
    const rest = [String(keys.length), ...keys, ...args];
    return this.#bounded(name, async (wait) => {
      try {
        return await this.#link.send(keys[0], ['EVALSHA', sha, ...rest]);
      } catch (error) {
        // The server does not know the script: send its source once, unless the caller has stopped waiting.
        if (wait.over || !String(error).includes('NOSCRIPT')) throw error;
        return this.#link.send(keys[0], ['EVAL', lua, ...rest]);
      }
    });
  }

  /** Sends a command behind one that timed out but may still arrive. Does not wait for the answer. */
  sendAfter(name: ScriptName, keys: Keys, args: readonly string[]): void {
    const command = ['EVAL', redisScripts[name].lua, String(keys.length), ...keys, ...args];
    this.#link.send(keys[0], command).catch(() => {});
  }

  send(key: string, ...command: readonly [string, ...string[]]): Promise<unknown> {
    return this.#bounded(command[0].toLowerCase(), () => this.#link.send(key, command));
  }

  publish(channel: string, text: string): Promise<number> {
    return this.#bounded('publish', () => this.#link.publish(channel, text));
  }

  async subscribe(channel: string, hear: (text: string) => void): Promise<void> {
    await this.#bounded('subscribe', () => this.#link.subscribe(channel, hear));
  }

  close(): void {
    this.#closing.abort();
    this.#watch.close();
  }

  async #bounded<Result>(name: string, act: (wait: EngineWait) => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const wait = { over: false };
    let ok = false;
    try {
      const result = await (this.silent ? Promise.reject(late) : this.#watch.bound(act(wait)));
      ok = true;
      return result;
    } catch (error) {
      if (error === late) this.#doubt();
      const reason = error === late ? `no answer within ${this.#patience} ms` : reasonOf(error);
      throw new RootwardError('SESSIONS_UNAVAILABLE', { reason }, { cause: error });
    } finally {
      wait.over = true;
      this.#observe?.({ name, milliseconds: performance.now() - begun, ok });
    }
  }

  #doubt(): void {
    const { signal } = this.#closing;
    if (this.#doubted || signal.aborted) return;
    this.#doubted = true;
    void revive(() => this.#link.lines(), signal).finally(() => {
      this.#doubted = false;
    });
  }
}

/** The first word of an error of the engine is its code; the rest may hold keys. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [code] = /^[A-Z]{3,}\b/.exec(message) ?? [];
  return code === undefined ? 'there is no connection' : `the engine says ${code}`;
}
