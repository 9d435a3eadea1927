import { expect, test } from 'vitest';
import { probeConfinement } from '../../src/boundary/confinement.ts';
import { tempTree } from '../../src/testing/index.ts';
import { childrenOf, isRunning } from './children-of.ts';
import { speak } from './speak.ts';

const confinement = await probeConfinement();

test.runIf(confinement.kind !== 'none')(
  'a shell is there when it is allowed, starts in the project and stays in it',
  async () => {
    using files = tempTree(['app/a.txt = inside', 'secret = TOP-SECRET']);
    const env = { MY_SECRET: 'do not tell' };
    await using server = await speak({ args: [files.at('app'), '--allow', 'execute'], env });
    const run = async (command: string): Promise<string> => (await server.call('shell', { command })).text;
    expect(await run('pwd; cat a.txt')).toContain(`${files.at('app')}\ninside`);
    expect(await run(`cat ${files.at('secret')}; cat ../secret; env; cat /proc/1/environ`)).not.toMatch(
      /TOP-SECRET|do not tell/,
    );
    // Who can write by a program can remove, too.
    expect(await run('echo changed > a.txt; cat a.txt')).toContain('Read-only file system');
    expect(server.wire.noise).toEqual([]);
  },
);

test.runIf(confinement.kind !== 'none')('what a shell runs ends with the server', async () => {
  using files = tempTree(['app/']);
  await using server = await speak({ args: [files.at('app'), '--allow', 'remove,execute'] });
  const pid = server.wire.pid ?? 0;
  const params = { name: 'shell', arguments: { command: 'echo > begun; sleep 60' } };
  await server.wire.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
  await expect
    .poll(() => server.call('read_text_file', { path: 'begun' }), { timeout: 10_000 })
    .toMatchObject({
      refused: false,
    });
  const children = childrenOf(pid).map((child) => Number.parseInt(child, 10));
  expect(children).not.toEqual([]);
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => [pid, ...children].filter(isRunning), { timeout: 5_000 }).toEqual([]);
  expect(await server.wire.leave()).toMatchObject({ code: 0 });
});
