import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RedisProcess extends AsyncDisposable {
  readonly pid: number;
  readonly address: string;
  /** Bytes that it uses. */
  readonly memory: () => Promise<number>;
  /** How many commands came from outside: scripts and messages, without what scripts do themselves. */
  readonly commands: () => Promise<number>;
}

/** A server of its own on a free port, without persistence. */
export async function startRedis(): Promise<RedisProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!(await ask(port, 'PING').catch(() => '')).includes('PONG')) {
    if (child.exitCode !== null) throw new Error('redis-server does not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    pid: child.pid ?? 0,
    address: `redis://127.0.0.1:${port}`,
    memory: async () => Number(/used_memory:(\d+)/.exec(await ask(port, 'INFO memory'))?.[1]),
    commands: async () => countCommands(await ask(port, 'INFO commandstats')),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

function countCommands(text: string): number {
  const counted = text.matchAll(/cmdstat_(?:eval|evalsha|publish|spublish|exists|del):calls=(\d+)/g);
  return [...counted].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`${command}\r\nQUIT\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}
