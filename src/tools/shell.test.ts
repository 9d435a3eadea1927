import { describe, expect, test } from 'vitest';
import { canRun, needs } from '../../test/support/processes/system-programs.ts';
import { type Confinement, probeConfinement } from '../boundary/process/confinement.ts';
import type { PolicyConfig } from '../policy/rules/policy-config.ts';
import { openToolCall } from '../testing/open-tool-call.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { createShell, shellEnvironment, type ShellOptions } from './shell.ts';
import type { Tool } from './tool/tool.ts';

const nothing: Confinement = { kind: 'none', reason: 'a test' };
const policy: PolicyConfig = { allow: ['read', 'list', 'write', 'remove', 'execute'] };

async function shell(options: Partial<ShellOptions> = {}): Promise<Tool> {
  const tool = createShell({ confinement: await probeConfinement(), ...options });
  if (tool === undefined) throw new Error('These tests need bubblewrap');
  return tool;
}

test('is not offered without a sandbox, unless the operator wants it', () => {
  expect(createShell({ confinement: nothing })).toBeUndefined();
  const tool = createShell({ confinement: nothing, allowUnconfined: true });
  expect(tool?.description).toContain('NOT CONFINED');
  expect(tool?.annotations).toMatchObject({ destructiveHint: true, openWorldHint: true });
});

describe.runIf(process.platform === 'linux' && canRun('bwrap'))(`a command line${needs('bwrap')}`, () => {
  test('runs in the project, or in a directory within the roots', async () => {
    using tree = tempTree(['app/src/a.txt', 'docs/b.txt']);
    await using call = await openToolCall([tree.at('app'), tree.at('docs')], { policy });
    const tool = await shell();
    const { structuredContent, content } = await call.run(tool, { command: 'pwd; ls; exit 3' });
    expect(structuredContent).toMatchObject({
      exitCode: 3,
      stdout: `${tree.at('app')}\nsrc\n`,
      confined: true,
    });
    expect(content).toMatchObject([
      { text: expect.stringMatching(/^Exit code 3 after \d\.\d s\n--- stdout\n/) },
    ]);
    const pwd = async (cwd: string): Promise<unknown> =>
      (await call.run(tool, { command: 'pwd', cwd })).structuredContent['stdout'];
    expect(await pwd('src')).toBe(`${tree.at('app/src')}\n`);
    expect(await pwd(tree.at('docs'))).toBe(`${tree.at('docs')}\n`);
    expect(await pwd(`file://${tree.at('docs')}`)).toBe(`${tree.at('docs')}\n`);
    await expect(pwd('src/a.txt')).rejects.toMatchObject({
      code: 'NOT_A_DIRECTORY',
      data: { path: 'src/a.txt' },
    });
    await expect(pwd('/etc')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  });

  test('sees no other root', async () => {
    using tree = tempTree(['app/', 'docs/b.txt = other']);
    await using call = await openToolCall([tree.at('app'), tree.at('docs')], { policy });
    const { structuredContent } = await call.run(await shell(), { command: 'cat ../docs/b.txt' });
    expect(structuredContent['stdout']).toBe('');
  });

  test('runs only if the policy allows it, and is recorded', async () => {
    using tree = tempTree();
    await using call = await openToolCall([tree.path], {
      policy: { allow: ['read', 'list', 'write', 'remove'] },
    });
    await expect(call.run(await shell(), { command: 'true' })).rejects.toMatchObject({ code: 'DENIED' });
    expect(call.audit.entries()).toMatchObject([{ operation: 'execute', verdict: 'deny' }]);
  });

  test('cannot read denied files, and cannot write without permission', async () => {
    using tree = tempTree(['.env = TOP SECRET', 'config/prod.json = TOP SECRET', 'a.txt = seen']);
    const deny = { allow: ['read', 'list', 'execute'], deny: ['/config/prod.json'] } satisfies PolicyConfig;
    await using call = await openToolCall([tree.path], { policy: deny });
    const { structuredContent } = await call.run(await shell(), {
      command: 'cat .env config/prod.json a.txt; echo x > a.txt',
    });
    expect(structuredContent).toMatchObject({ stdout: 'seen', writable: false, hidden: 2, exitCode: 1 });
    expect(structuredContent['stderr']).toContain('Read-only file system');
  });

  test('gets the network only on request and with permission', async () => {
    using tree = tempTree();
    await using call = await openToolCall([tree.path], { policy });
    const links = { command: 'cat /proc/net/dev | grep -vc lo:' };
    const count = async (tool: Tool, more: object = {}): Promise<number> =>
      Number((await call.run(tool, { ...links, ...more })).structuredContent['stdout']);
    // Two lines of headings, and only the loopback device.
    expect(await count(await shell())).toBe(2);
    await expect(count(await shell(), { network: true })).rejects.toMatchObject({
      code: 'DENIED',
      data: { rule: 'shell-network' },
    });
    const open = await shell({ allowNetwork: true });
    expect(open.annotations.openWorldHint).toBe(true);
    expect(await count(open)).toBe(2);
    const { structuredContent } = await call.run(open, { ...links, network: true });
    expect(structuredContent).toMatchObject({ network: true });
  });

  test('ends at its timeout, which the operator limits', async () => {
    using tree = tempTree();
    await using call = await openToolCall([tree.path], { policy });
    const tool = await shell({ limits: { milliseconds: 5_000 } });
    const { structuredContent } = await call.run(tool, { command: 'sleep 60', timeout: 0.3 });
    expect(structuredContent).toMatchObject({ stopped: 'time', signal: 'SIGKILL' });
    await expect(call.run(tool, { command: 'true', timeout: 6 })).rejects.toThrow('5');
  });

  test('reports progress, and ends with the call', async () => {
    using tree = tempTree();
    const cancel = new AbortController();
    await using call = await openToolCall([tree.path], { policy, signal: cancel.signal });
    const running = call.run(await shell(), { command: 'echo some; sleep 60' });
    await expect.poll(() => call.reports, { timeout: 20_000 }).toContain('5 bytes of output after 1 s');
    cancel.abort();
    await expect(running).rejects.toThrow('aborted');
    expect(call.audit.entries()).toMatchObject([{ operation: 'execute', outcome: 'cancelled' }]);
  });

  test('can read directories that the operator added', async () => {
    using tree = tempTree(['app/', 'tools/bin/']);
    await using call = await openToolCall([tree.at('app')], { policy });
    const options = { readable: [tree.at('tools')], environment: { PATH: tree.at('tools/bin') } };
    const { structuredContent } = await call.run(await shell(options), {
      command: `ls ${tree.at('tools')}; echo $PATH`,
    });
    expect(structuredContent['stdout']).toMatch(/^bin\n.*tools\/bin:/);
    const hidden = await call.run(await shell(), { command: `ls ${tree.at('tools')}` });
    expect(hidden.structuredContent['stdout']).toBe('');
  });
});

test.runIf(process.platform !== 'win32')('runs without a sandbox, with a warning', async () => {
  using tree = tempTree(['app/a.txt', 'secret = TOP SECRET']);
  await using call = await openToolCall([tree.at('app')], { policy });
  const tool = await shell({ confinement: nothing, allowUnconfined: true });
  const { structuredContent, content } = await call.run(tool, { command: 'cat ../secret' });
  expect(structuredContent).toMatchObject({ confined: false, stdout: 'TOP SECRET' });
  expect(content).toMatchObject([{ text: expect.stringContaining('[UNCONFINED:') }]);
});

test('limits concurrent runs, and refuses if too many wait', async () => {
  using tree = tempTree(['app/']);
  await using call = await openToolCall([tree.at('app')], { policy });
  const tool = await shell({ confinement: nothing, allowUnconfined: true, limits: { concurrent: 1 } });
  // Each records its start, and is alone until it ends.
  const command = 'mkdir alone && echo >> begun && sleep 0.05 && rmdir alone';
  const runs = Array.from({ length: 10 }, () => call.run(tool, { command }));
  const ends = await Promise.allSettled(runs);
  const refusals = ends.filter((end) => end.status === 'rejected');
  expect(refusals).toMatchObject([
    { reason: { code: 'BUSY', hint: expect.stringContaining('Too many command lines') } },
  ]);
  const codes = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.structuredContent] : []));
  expect(codes.map((result) => result['exitCode'])).toEqual(Array.from({ length: 9 }, () => 0));
  // Without a limit they would overlap.
  const wide = await shell({ confinement: nothing, allowUnconfined: true, limits: { concurrent: 9 } });
  const together = await Promise.all(Array.from({ length: 9 }, () => call.run(wide, { command })));
  expect(together.some(({ structuredContent }) => structuredContent['exitCode'] !== 0)).toBe(true);
});

const source = {
  PATH: '/home/me/bin:/opt/node/bin:/usr/bin:relative',
  HOME: '/home/me',
  LANG: 'de_DE.UTF-8',
  GITHUB_TOKEN: 'secret',
  MY_FLAG: 'on',
};
const onPosix = process.platform !== 'win32';

test.runIf(onPosix)('a sandbox gets harmless variables, and its own directories', () => {
  const environment = shellEnvironment(source, { confined: true, pass: [], readable: ['/opt/node'] });
  expect(environment).toEqual({
    PATH: '/opt/node/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin',
    HOME: '/tmp',
    TMPDIR: '/tmp',
    LANG: 'de_DE.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
  });
});

test.runIf(onPosix)('without a sandbox a program gets its usual variables, and no secrets', () => {
  const environment = shellEnvironment(source, {
    confined: false,
    pass: ['MY_FLAG', 'MISSING'],
    readable: [],
  });
  expect(environment).toMatchObject({ PATH: source.PATH, HOME: '/home/me', MY_FLAG: 'on' });
  expect(Object.keys(environment)).not.toContain('GITHUB_TOKEN');
  expect(Object.keys(environment)).not.toContain('MISSING');
});

test('passes on variables that the operator names', () => {
  const options = { confined: true, pass: ['GITHUB_TOKEN'], readable: [] };
  expect(shellEnvironment(source, options)['GITHUB_TOKEN']).toBe('secret');
});
