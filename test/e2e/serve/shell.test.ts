import { chmodSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { childrenOf, isRunning } from '../../support/processes/children-of.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { converse } from '../../support/processes/converse.ts';
import { speak, speakHere, type Spoken } from '../../support/processes/speak.ts';

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
    .poll(() => server.call('read_text_file', { path: 'begun' }), { timeout: 20_000 })
    .toMatchObject({
      refused: false,
    });
  const children = childrenOf(pid).map((child) => Number.parseInt(child, 10));
  expect(children).not.toEqual([]);
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => [pid, ...children].filter(isRunning), { timeout: 20_000 }).toEqual([]);
  expect(await server.wire.leave()).toMatchObject({ code: 0 });
});

test.runIf(confinement.kind !== 'none')(
  'a shell has what the operator gives it: variables, toolchains, time, memory',
  async () => {
    using files = tempTree([
      'app/a.txt = inside',
      'sdk/tool = #!/bin/sh\necho from the toolchain\n',
      'other/x = hidden',
    ]);
    chmodSync(files.at('sdk/tool'), 0o755);
    const env = { MY_SETTING: 'passed on', MY_SECRET: 'do not tell' };
    const args = [files.at('app'), '--allow', 'execute'];
    const limits = '--shell-timeout 1 --shell-tmp 1 --shell-processes 40'.split(' ');
    const given = ['--shell-env', 'MY_SETTING', '--shell-read', files.at('sdk'), ...limits];
    const line = `echo "[$MY_SETTING$MY_SECRET]"; ${files.at('sdk/tool')}; cat ${files.at('other/x')}`;
    // Without a word nothing of it is there.
    await using plain = await speakHere({ args, env });
    const bare = await plain.call('shell', { command: line });
    expect(bare.text).toContain('[]');
    expect(bare.text).not.toMatch(/from the toolchain|hidden/);
    await using server = await speakHere({ args: [...args, ...given], env });
    const run = async (command: string): Promise<string> => (await server.call('shell', { command })).text;
    const said = await run(line);
    expect(said).toContain('[passed on]');
    expect(said).toContain('from the toolchain');
    expect(said).not.toContain('hidden');
    expect(await run(`echo x > ${files.at('sdk/new')}`)).toContain('Read-only file system');
    expect(await run('head -c 2000000 /dev/zero > /tmp/big')).toContain('No space left');
    expect(await run('sleep 30')).toMatch(/time/i);
  },
);

test.runIf(confinement.kind !== 'none')(
  'as many command lines run at once as the operator says, and others wait',
  async () => {
    using files = tempTree(['app/', 'other/']);
    /** Two that wait for each other: they end well only if they run at once. */
    const meet = async (server: Spoken): Promise<readonly string[]> => {
      const runs = ['a b', 'b a'].map((pair) => {
        const [own = '', other = ''] = pair.split(' ');
        const command = `echo > ${own}; until [ -e ${other} ]; do sleep 0.05; done; rm ${other}; echo met`;
        return server.call('shell', { command, timeout: 3 });
      });
      return (await Promise.all(runs)).map(({ text }) => text);
    };
    const args = ['--allow', 'execute,remove'];
    await using usual = await speakHere({ args: [files.at('app'), ...args] });
    for (const text of await meet(usual)) expect(text).toContain('met');
    await using single = await speakHere({ args: [files.at('other'), ...args, '--shell-concurrent', '1'] });
    expect((await meet(single))[0]).toMatch(/time/i);
  },
);

test.runIf(confinement.kind !== 'none')('a shell gets the network only if it may, and asks', async () => {
  using files = tempTree(['app/']);
  const args = [files.at('app'), '--allow', 'execute'];
  // Which network a process is in has a name.
  const which = { command: 'readlink /proc/self/ns/net' };
  await using closed = await speakHere({ args });
  expect(await closed.call('shell', { ...which, network: true })).toMatchObject({ code: 'DENIED' });
  await using open = await speakHere({ args, env: { ROOTWARD_SHELL_NETWORK: '1' } });
  const ours = readlinkSync('/proc/self/ns/net');
  expect((await open.call('shell', which)).text).not.toContain(ours);
  expect((await open.call('shell', { ...which, network: true })).text).toContain(ours);
});

test('where nothing can confine it there is none, and who starts the server is told why', async () => {
  using files = tempTree(['app/', 'empty/']);
  const env = { PATH: files.at('empty') };
  const args = [files.at('app'), '--allow', 'execute'];
  const names = async (server: Spoken): Promise<string> =>
    JSON.stringify(await server.player.request('tools/list'));
  await using without = await speak({ args, env });
  expect(await names(without)).not.toContain('"shell"');
  expect(without.wire.stderr()).toMatch(/rootward: the shell tool is not offered, .*bubblewrap/);
  await using anyway = await speak({ args: [...args, '--allow-unconfined-shell'], env });
  expect(await names(anyway)).toContain('"shell"');
  expect(anyway.wire.stderr()).toContain('NOT CONFINED');
});

test('a toolchain that is not there is a mistake, said at the start', async () => {
  using files = tempTree(['app/']);
  const args = [files.at('app'), '--allow', 'execute', '--shell-read', files.at('nowhere')];
  using command = serveCommand({ args });
  const { stderr, code } = await converse(command, []);
  expect(stderr).toContain('--shell-read');
  expect(code).toBe(2);
});

test('a toolchain that holds files of ours is refused, said at the start', async () => {
  using files = tempTree(['app/', 'home/rw/', 'home/link => rw']);
  const args = [files.at('app'), '--allow', 'execute', '--shell-read', files.at('home')];
  using command = serveCommand({ args, env: { ROOTWARD_HOME: files.at('home/link') } });
  const { stderr, code } = await converse(command, []);
  expect(stderr).toMatch(/--shell-read: .* belongs to this server/);
  expect(code).toBe(2);
});
