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
      result: expect.objectContaining({ structuredContent: { content: 'inside' } }),
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
