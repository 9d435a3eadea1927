import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { bareCommand, serveCommand } from '../../support/processes/command.ts';
import { program } from '../../support/processes/program.ts';
import { connect } from '../../support/processes/connect.ts';
import { call, converse, initialize, messagesIn } from '../../support/processes/converse.ts';

test('without arguments it serves, as a client that starts it expects', async () => {
  using files = tempTree(['app/package.json = {}', 'app/a.txt = inside']);
  using command = bareCommand({ cwd: files.at('app') });
  const { stdout, stderr, code } = await converse(command, [
    initialize,
    call('read_text_file', { path: 'a.txt' }),
  ]);
  expect(messagesIn(stdout)).toContainEqual(
    expect.objectContaining({
      id: 1,
      result: { content: [{ type: 'text', text: 'inside' }] },
    }),
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('without arguments on a terminal it prints the commands, and ends', async () => {
  using command = bareCommand();
  const { output, code } = await onTerminal([program], command.env);
  expect(output).toContain('USAGE');
  expect(output).toContain('rootward serve');
  expect(code).toBe(0);
});

test('asked to serve on a terminal, it does so until it is interrupted', async () => {
  using command = serveCommand();
  const asked = `${JSON.stringify({ jsonrpc: '2.0', id: 1, ...initialize })}\r`;
  const { output, code } = await onTerminal([program, 'serve'], command.env, (text, type) => {
    if (text === '') type(asked);
    if (text.includes('"serverInfo"')) type('\u0003');
  });
  expect(output).toContain('"serverInfo"');
  expect(code).toBe(0);
});

/** Runs the command where a person types. `typing` sees all that was printed, first when nothing was. */
async function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  typing: (output: string, type: (text: string) => void) => void = () => undefined,
): Promise<{ readonly output: string; readonly code: number }> {
  const terminal = spawn(process.execPath, [...args], { cwd: '/', env, cols: 200 });
  let output = '';
  return new Promise((resolve) => {
    terminal.onData((text) => typing((output += text), (typed) => terminal.write(typed)));
    terminal.onExit(({ exitCode }) => resolve({ output, code: exitCode }));
    typing('', (typed) => terminal.write(typed));
  });
}

test.each(['v1', 'v2', 'v2 in 2026'] as const)(
  'a client of %s finds its project and works on it',
  async (name) => {
    using files = tempTree(['app/.git/', 'app/a.txt = inside']);
    await using client = await connect(name, { roots: [files.at('app')] });
    const roots = await client.call('list_roots');
    expect(roots.data).toMatchObject({ project: { name: 'app' }, roots: [{ path: files.at('app') }] });
    expect(await client.call('read_text_file', { path: 'a.txt' })).toMatchObject({
      text: 'inside',
      isError: false,
    });
    expect(await client.call('read_text_file', { path: files.at('x') })).toMatchObject({ isError: true });
    expect(client.stderr()).toBe('');
  },
);

test('a mistyped flag is a mistake, and nothing is granted by it', async () => {
  using command = serveCommand({ args: ['--read-onl'] });
  const { stdout, stderr, code } = await converse(command, [initialize]);
  expect(stdout).toBe('');
  expect(stderr).toContain('--read-onl');
  expect(code).toBe(2);
});

test('a mistyped variable, an idle flag and a missing project are told once, and it serves', async () => {
  using files = tempTree(['app/']);
  const args = [files.at('app'), '--project', files.at('gone'), '--origin', 'https://a.example'];
  using command = serveCommand({ args, env: { ROOTWARD_READ_ONYL: 'hush' } });
  const { stdout, stderr, code } = await converse(command, [initialize]);
  expect(stderr.trimEnd().split('\n').toSorted()).toEqual([
    'rootward: Warning: "ROOTWARD_READ_ONYL" is unknown and has no effect; did you mean ROOTWARD_READ_ONLY?',
    'rootward: Warning: --origin has no effect without --http',
    `rootward: Warning: Cannot access project "${files.at('gone')}": it does not exist; it is served a few seconds after it appears`,
  ]);
  expect(messagesIn(stdout)).toHaveLength(1);
  expect(code).toBe(0);
});

const outside = { path: '/etc/hostname' };

test.each([['--project', '$TREE/app'], ['$TREE/app', '--read-only'], ['--read-only', '$TREE/app'], ['app']])(
  '%s %s is served, without the word serve',
  async (...line) => {
    using files = tempTree(['app/a.txt = inside']);
    const args = line.filter((word) => word !== undefined).map((word) => word.replace('$TREE', files.path));
    using command = bareCommand({ cwd: files.path, args });
    const { stdout, stderr, code } = await converse(command, [
      initialize,
      call('read_text_file', { path: 'a.txt' }),
      call('read_text_file', outside),
    ]);
    const answers = messagesIn(stdout).toSorted((one, other) => Number(one['id']) - Number(other['id']));
    expect(answers).toMatchObject([
      { id: 0 },
      { id: 1, result: { content: [{ text: 'inside' }] } },
      { id: 2, result: { isError: true } },
    ]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  },
);

test('a mistyped command is still told, and so is a Node.js that is too old, in one sentence', async () => {
  using mistyped = bareCommand({ args: ['serv'] });
  expect(await converse(mistyped, [])).toMatchObject({ code: 2, stderr: expect.stringContaining('serve') });
  const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.4'})";
  using old = bareCommand({ node: ['--import', older] });
  expect(await converse(old, [])).toEqual({
    stdout: '',
    stderr: 'rootward needs Node.js 20 or later, and this is 18.20.4: install a newer one\n',
    code: 3,
  });
});

test('requests from a pipe are answered before it ends, the last one without a line end, and a write is done', async () => {
  using files = tempTree(['app/a.txt = inside']);
  using command = serveCommand({ args: [files.at('app')] });
  const declaring = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'pipe', version: '1' },
  };
  const messages = [
    { method: 'initialize', params: declaring },
    // More than one read: some answers are ready before the last requests have come.
    ...Array.from({ length: 4 }, () =>
      call('write_file', { path: 'b.txt', content: 'piped'.repeat(10_000) }),
    ),
    call('search_text', { pattern: 'inside' }),
    call('list_roots'),
  ];
  const lines = [
    ...messages.map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message })),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    JSON.stringify({ jsonrpc: '2.0', id: 9, ...call('read_text_file', { path: 'a.txt' }) }),
  ];
  const { stdout, status } = spawnSync(command.command, command.args, {
    cwd: command.cwd,
    env: command.env,
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  const answers = messagesIn(stdout).filter((message) => 'result' in message);
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 9]));
  expect(answers.find(({ id }) => id === 9)).toMatchObject({ result: { content: [{ text: 'inside' }] } });
  expect(readFileSync(files.at('app/b.txt'), 'utf8')).toBe('piped'.repeat(10_000));
  expect(status).toBe(0);
});
