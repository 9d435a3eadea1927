import type { EngineCommand } from './engine.ts';

export interface RedisStoreOptions {
  /** `redis://…`, `rediss://…`, `redis+cluster://…` or `redis+sentinel://…`. */
  readonly address: string;
  /** Where it is not part of the address. */
  readonly password?: string | undefined;
  /** What its keys and channels begin with, where several deployments share an engine. */
  readonly prefix?: string | undefined;
  /**
   * At least 32 bytes each, that all nodes share and nobody else knows, the engine included. The first one
   * seals, all of them open.
   */
  readonly secrets: readonly Uint8Array[];
  /** How long a silent session lives, in milliseconds. */
  readonly idle?: number;
  /** How many sessions there may be, on all nodes together. */
  readonly most?: number;
  /** How long the engine may take to answer, in milliseconds. Who waits for it has promised its own answer. */
  readonly patience?: number;
  /** How long a node that fell silent counts as alive, in milliseconds. */
  readonly lease?: number;
  /** Random, unless a test says otherwise. */
  readonly nodeId?: string;
  /** Something arrived, or was found in a record, that no node of ours has written. */
  readonly forged?: () => void;
  readonly observe?: (command: EngineCommand) => void;
}
