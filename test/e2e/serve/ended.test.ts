import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { difficultClients, type TempTree, tempTree } from '../../../src/testing/index.ts';
import { childrenOf, descendantsOf, isRunning, nameOf } from '../../support/processes/children-of.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { converse, initialize } from '../../support/processes/converse.ts';
import { slowPattern, slowText } from '../../support/trees/slow-trees.ts';
import { speak, type Spoken } from '../../support/processes/speak.ts';

let texts: TempTree;

beforeAll(() => {
  texts = slowText();
});

afterAll(() => texts[Symbol.dispose]());

const peaceful = { code: 0, signal: null, stopped: false };

type End = (server: Spoken) => Promise<void>;

/** The ways to end it at any time. A client that closes stdin during a call sends SIGTERM if it does not wait. */
const cuts: Readonly<Record<string, End>> = {
  SIGTERM: (server) => sendSignal(server, 'SIGTERM'),
  SIGINT: (server) => sendSignal(server, 'SIGINT'),
};

const ends: Readonly<Record<string, End>> = { 'the end of stdin': async () => undefined, ...cuts };

async function sendSignal({ wire }: Spoken, signal: NodeJS.Signals): Promise<void> {
  const pid = wire.pid ?? 0;
  process.kill(pid, signal);
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
}

describe.each(Object.entries(ends))('%s ends it with code 0', (_title, end) => {
  test('when nothing is going on', async () => {
    using files = tempTree(['app/a.txt']);
    await using server = await speak({ args: [files.at('app')] });
    await server.call('read_text_file', { path: 'a.txt' });
    await end(server);
    expect(await server.wire.leave()).toEqual(peaceful);
    expect(server.wire.stderr()).toBe('');
  });
});

describe.each(Object.entries(cuts))('%s ends it with code 0', (_title, end) => {
  test('in the middle of a search, which leaves no process behind', async () => {
    await using server = await speak({ args: [texts.path] });
    const pid = server.wire.pid ?? 0;
    const params = { name: 'search_text', arguments: { pattern: slowPattern, output: 'files' } };
    await server.wire.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
    await expect.poll(() => childrenOf(pid), { timeout: 20_000, interval: 5 }).toHaveLength(1);
    const [child = ''] = childrenOf(pid);
    await end(server);
    expect(await server.wire.leave()).toEqual(peaceful);
    await expect.poll(() => isRunning(Number.parseInt(child, 10)), { timeout: 20_000 }).toBe(false);
  });
});

const confinement = await probeConfinement();

test.runIf(confinement.kind !== 'none').each(Object.entries(cuts))(
  '%s in the middle of a command line leaves its line in the log',
  async (_title, end) => {
    using files = tempTree(['app/']);
    await using server = await speak({ args: [files.at('app'), '--allow', 'remove,execute'] });
    void server.call('shell', { command: 'touch began; sleep 60' }).catch(() => undefined);
    await expect.poll(() => existsSync(files.at('app/began')), { timeout: 20_000 }).toBe(true);
    await end(server);
    await server.wire.leave();
    const log = readdirSync(server.home, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.jsonl'),
    );
    const line = readFileSync(`${server.home}/${log ?? ''}`, 'utf8');
    expect(line).toContain('touch began');
    expect(line).toContain('"kind":"started"');
  },
);

/** A client that starts the server, says these lines to it, and reports its number. */
const clientProgram = `
  const [command, args, cwd, env, lines] = JSON.parse(process.argv[1]);
  const server = require('node:child_process').spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  server.stdin.write(lines);
  server.stdout.resume();
  console.log(server.pid);
`;

const programs: readonly (readonly [string, RegExp, object])[] = [
  ['a search', /rg/, { name: 'search_text', arguments: { pattern: slowPattern, output: 'files' } }],
  // It says nothing: no answer fails because its reader is gone.
  ...(confinement.kind === 'none'
    ? []
    : [['a shell', /sleep/, { name: 'shell', arguments: { command: 'sleep 60' } }] as const]),
];

test.each(programs)(
  'a client that is killed takes the server and %s with it',
  async (_title, name, params) => {
    using command = serveCommand({ args: [texts.path, '--allow', 'remove,execute'] });
    const messages = [
      { jsonrpc: '2.0', id: 0, ...initialize },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    ];
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const told = JSON.stringify([command.command, command.args, command.cwd, command.env, lines]);
    const client = spawn(process.execPath, ['-e', clientProgram, told]);
    const [said] = await once(client.stdout, 'data', { signal: AbortSignal.timeout(15_000) });
    const server = Number(String(said));
    const names = (): string => descendantsOf(server).map(nameOf).join(' ');
    await expect.poll(names, { timeout: 20_000, interval: 5 }).toMatch(name);
    const running = [server, ...descendantsOf(server)];
    client.kill('SIGKILL');
    await expect.poll(() => running.filter(isRunning), { timeout: 20_000 }).toEqual([]);
  },
);

test('a client that hangs up instead of listing its roots is not waited for', async () => {
  await using server = await speak({ client: difficultClients.vanishes });
  const started = performance.now();
  await server.call('list_roots');
  expect(await server.wire.leave()).toEqual(peaceful);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a client that is gone from the beginning is an end, too', async () => {
  using command = serveCommand();
  const { stdout, stderr, code } = await converse(command, []);
  expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: '', code: 0 });
});

test('a message that never ends is reported on stderr, and does not delay the end', async () => {
  using command = serveCommand();
  const child = spawn(command.command, command.args, { cwd: command.cwd, env: command.env });
  child.stdin.on('error', () => undefined);
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(15_000) });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize })}\n`);
  child.stdin.write('x'.repeat(11 * 1024 * 1024));
  const [said] = await once(child.stderr, 'data', { signal: AbortSignal.timeout(15_000) });
  expect(String(said)).toContain('A message is longer than');
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
});

test('a reader that is gone ends it', async () => {
  using command = serveCommand();
  const child = spawn(command.command, command.args, { cwd: command.cwd, env: command.env });
  child.stdin.on('error', () => undefined);
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(15_000) });
  child.stdout.destroy();
  const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize })}\n`;
  child.stdin.write(ask);
  expect(await exit).toEqual([0, null]);
});
