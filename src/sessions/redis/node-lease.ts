import { randomBytes } from 'node:crypto';
import { RootwardError } from '../../errors.ts';
import type { RedisEngine } from './engine.ts';

export interface NodeLease {
  /** Whether the last heartbeat was answered. */
  held(): boolean;
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly engine: RedisEngine;
  /** The key under which the node id is claimed. */
  readonly key: string;
  /** Milliseconds. */
  readonly life: number;
}

/**
 * Claims the id of a node for this process until it closes.
 *
 * @throws {RootwardError} `SESSIONS_UNAVAILABLE` if another process has it
 */
export async function openNodeLease({ engine, key, life }: LeaseOptions): Promise<NodeLease> {
  const holder = randomBytes(12).toString('base64url');
  const hold = async (): Promise<boolean> => (await engine.run('hold', [key], [holder, String(life)])) === 1;
  if (!(await hold())) {
    throw new RootwardError('SESSIONS_UNAVAILABLE', { reason: 'another process has the id of this node' });
  }
  let held = true;
  const beat = async (): Promise<void> => {
    held = await hold().catch(() => false);
  };
  const timer = setInterval(() => void beat(), life / 3);
  timer.unref();
  return {
    held: () => held,
    async close() {
      clearInterval(timer);
      held = false;
      await engine.run('release', [key], [holder]).catch(() => {});
    },
  };
}
