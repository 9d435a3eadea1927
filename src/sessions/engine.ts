import { RootwardError } from '../errors.ts';
import { FairWatch, late } from './fair-watch.ts';
import type { RedisLink } from './redis-link.ts';
import { redisScripts, type ScriptName } from './redis-scripts.ts';

/** How one command went: for whoever measures. */
export interface EngineCommand {
  readonly name: string;
  readonly milliseconds: number;
  readonly ok: boolean;
}

export interface EngineOptions {
  readonly link: RedisLink;
  /** Milliseconds after which nobody waits any longer. */
  readonly patience: number;
  readonly observe?: ((command: EngineCommand) => void) | undefined;
}

/** Runs scripts in the engine. Whatever fails there fails here in one way, and soon. */
export class Engine {
  readonly #link: RedisLink;
  readonly #patience: number;
  readonly #watch: FairWatch;
  readonly #observe: ((command: EngineCommand) => void) | undefined;

  constructor({ link, patience, observe }: EngineOptions) {
    this.#link = link;
    this.#patience = patience;
    this.#watch = new FairWatch(patience, link);
    this.#observe = observe;
  }

  run(
    name: ScriptName,
    keys: readonly [string, ...string[]],
    args: readonly string[] = [],
  ): Promise<unknown> {
    const { sha, lua } = redisScripts[name];
    const rest = [String(keys.length), ...keys, ...args];
    return this.#bounded(name, async () => {
      try {
        return await this.#link.send(keys[0], ['EVALSHA', sha, ...rest]);
      } catch (error) {
        // A new server, or one that forgot: it is told once.
        if (!String(error).includes('NOSCRIPT')) throw error;
        return this.#link.send(keys[0], ['EVAL', lua, ...rest]);
      }
    });
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
    this.#watch.close();
  }

  async #bounded<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    let ok = false;
    try {
      const result = await this.#watch.bound(act());
      ok = true;
      return result;
    } catch (error) {
      const reason = error === late ? `no answer within ${this.#patience} ms` : reasonOf(error);
      throw new RootwardError('SESSIONS_UNAVAILABLE', { reason }, { cause: error });
    } finally {
      this.#observe?.({ name, milliseconds: performance.now() - begun, ok });
    }
  }
}

/** The first word of an error of the engine is its code; the rest may hold keys. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [code] = /^[A-Z]{3,}\b/.exec(message) ?? [];
  return code === undefined ? 'there is no connection' : `the engine says ${code}`;
}
