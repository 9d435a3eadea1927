import type { Line } from './revive.ts';

/** The engine, as far as it is used: commands, and channels that go where their name leads. */
export interface RedisLink {
  /** Whether all commands go to one server, on one connection: if it is silent to one, it is to all. */
  readonly inTurn: boolean;
  /** The connections on which commands go out, to each server one. */
  lines(): readonly Line[];
  /** The key says which part of a cluster is meant. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  subscribe(channel: string, listener: (text: string) => void): Promise<void>;
  /** How many heard it. */
  publish(channel: string, text: string): Promise<number>;
  close(): void;
}
