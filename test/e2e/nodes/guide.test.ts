import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { token } from '../../support/http/open-endpoint.ts';
import { program } from '../../support/processes/program.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { freePort } from '../../support/redis/redis-server.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const script = fileURLToPath(new URL('../../../examples/several-nodes/start.sh', import.meta.url));

test.runIf(canRun('redis-server'))(
  `the example of the guide serves, also after a node is killed${needs('redis-server')}`,
  async () => {
    using tree = tempTree(['app/a.txt = app', 'home/']);
    const [redis, one, two, front] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const child = spawn('sh', [script, tree.at('app')], {
      env: {
        PATH: process.env['PATH'],
        ROOTWARD: `${process.execPath} ${program}`,
        ROOTWARD_HOME: tree.at('home'),
        ROOTWARD_TOKEN: token,
        REDIS_PORT: `${redis}`,
        ONE_PORT: `${one}`,
        TWO_PORT: `${two}`,
        FRONT_PORT: `${front}`,
        TMPDIR: tree.at('home'),
      },
    });
    const ended = once(child, 'exit');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    try {
      await eventually(() => {
        expect(said).toContain('balancer on');
        expect(said.match(/listening on/g)).toHaveLength(2);
      });
      const options = {
        url: `http://127.0.0.1:${front}/mcp`,
        roots: () => [{ uri: `file://${tree.at('app')}` }],
      };
      await using client = await connectClient('v2 in 2025', options);
      const read = () => client.call('read_text_file', { path: 'a.txt' });
      for (let round = 0; round < 4; round += 1) expect(await read()).toContain('app');
      expect(readdirSync(tree.at('home')).filter((name) => name.startsWith('tmp.'))).toHaveLength(1);
      process.kill(Number(/node on \d+: process (\d+)/.exec(said)?.[1]), 'SIGKILL');
      await eventually(async () => expect(await read()).toContain('app'));
      for (let round = 0; round < 4; round += 1) expect(await read()).toContain('app');
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    // What Redis kept is gone, too.
    expect(readdirSync(tree.at('home')).filter((name) => name.startsWith('tmp.'))).toEqual([]);
  },
);
