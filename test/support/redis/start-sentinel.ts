import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tempTree } from '../../../src/testing/index.ts';
import { commandOf, freePort, untilItAnswers } from './redis-server.ts';

export interface Sentinel extends AsyncDisposable {
  readonly port: number;
  readonly address: string;
  /** How many it could make primary. */
  replicas(): Promise<number>;
}

/** A real sentinel that watches a primary. Lines of its configuration may be added. */
export async function startSentinel(watched: number, more: readonly string[] = []): Promise<Sentinel> {
  const port = await freePort();
  const tree = tempTree([
    `sentinel.conf = ${[
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor mine 127.0.0.1 ${watched} 1`,
      'sentinel down-after-milliseconds mine 1000',
      'sentinel failover-timeout mine 3000',
      ...more,
    ].join('\n')}\n`,
  ]);
  const args = [tree.at('sentinel.conf'), '--sentinel'];
  const child = spawn('redis-server', args, { cwd: tree.path, stdio: 'ignore' });
  const gone = once(child, 'exit');
  await untilItAnswers(port);
  return {
    port,
    address: `redis+sentinel://127.0.0.1:${port}/mine`,
    async replicas() {
      const listed = await commandOf(port, ['SENTINEL', 'REPLICAS', 'mine']);
      return listed.match(/^master-link-status\r\n\$2\r\nok\r$/gm)?.length ?? 0;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
      tree[Symbol.dispose]();
    },
  };
}
