import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { eventually } from '../../support/http/eventually.ts';
import { wrapHere, wrappedServer } from '../../support/peers/wrap-here.ts';
import { isRunning } from '../../support/processes/children-of.ts';
import { bareCommand } from '../../support/processes/command.ts';
import { call, converse, initialize, messagesIn } from '../../support/processes/converse.ts';

test('a client that hangs up before it says anything starts nothing', async () => {
  await using wrapped = wrapHere();
  expect(await wrapped.hangUp()).toBeUndefined();
  expect(wrapped.stderr()).toBe('');
});

test('a server that ends before it answers fails the client with the last line of its stderr', async () => {
  await using wrapped = wrapHere({ mode: 'crash' });
  const { error } = await wrapped.initialize();
  expect(error).toMatchObject({ code: -32_603, message: 'the server ended (exit code 7): no such module' });
  expect(await wrapped.connection.ended).toMatchObject({ code: 7 });
});

test('a program that does not exist fails the client with its name', async () => {
  await using wrapped = wrapHere({ command: ['/no/such/program'] });
  const { error } = await wrapped.initialize();
  expect(error?.message).toContain('Cannot start "/no/such/program"');
});

test('a server that ends is started again three times; open calls fail, and the next ones are answered', async () => {
  await using wrapped = wrapHere();
  await wrapped.initialize();
  const first = await wrapped.call('pid');
  wrapped.write('{"jsonrpc":"2.0","id":"open","method":"tools/call","params":{"name":"hang"}}\n');
  expect(await wrapped.call('exit', { code: 3 })).toContain('the server ended (exit code 3)');
  expect((await wrapped.find(({ id }) => id === 'open')).error?.code).toBe(-32_603);
  expect(await wrapped.call('pid')).not.toBe(first);
  expect(await wrapped.request('ping')).toMatchObject({ result: {} });
  await wrapped.call('exit', { code: 3 });
  expect(await wrapped.call('echo', { text: 'again' })).toBe('again');
  await wrapped.call('exit', { code: 4 });
  await wrapped.call('exit', { code: 5 });
  expect(await wrapped.connection.ended).toMatchObject({ code: 5 });
});

test('the command passes a conversation, the exit code and stderr of its server', async () => {
  using tree = tempTree(['app/package.json = {}']);
  using command = bareCommand({ args: ['wrap', '--', process.execPath, wrappedServer], cwd: tree.at('app') });
  const { stdout, stderr, code } = await converse(command, [
    initialize,
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    call('roots'),
  ]);
  expect(code).toBe(0);
  expect(stderr).toContain('rootward: the server is not confined');
  expect(stderr).toContain('pid ');
  expect(JSON.stringify(messagesIn(stdout).at(-1))).toContain(tree.at('app'));
});

test('SIGTERM ends the command and its server while the client still has the pipe open', async () => {
  using command = bareCommand({ args: ['wrap', '--', process.execPath, wrappedServer] });
  const child = spawn(command.command, command.args, { cwd: '/', env: { ...command.env } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize })}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** The process of a server that ignores the end of its input and SIGTERM. */
async function startDeaf() {
  const command = bareCommand({ args: ['wrap', '--', process.execPath, wrappedServer] });
  const child = spawn(command.command, command.args, {
    cwd: '/',
    env: { ...command.env, SERVER_MODE: 'deaf' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize })}\n`);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const pid = await eventually(() => {
    const found = /^pid (\d+)$/m.exec(said)?.[1];
    if (found === undefined) throw new Error(said);
    return Number(found);
  });
  return { child, pid, dispose: () => command[Symbol.dispose]() };
}

test('nothing is left of a server that ignores the end of its input and SIGTERM', async () => {
  const [hungUp, killed] = await Promise.all([startDeaf(), startDeaf()]);
  hungUp.child.stdin.end();
  killed.child.kill('SIGKILL');
  const [code] = (await once(hungUp.child, 'exit')) as [number];
  expect(code).toBe(128 + 9);
  await eventually(() => expect([hungUp.pid, killed.pid].filter(isRunning)).toEqual([]));
  for (const { dispose } of [hungUp, killed]) dispose();
}, 30_000);
