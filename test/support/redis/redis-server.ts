import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { tempTree } from '../../../src/testing/index.ts';

export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  readonly address: string;
  /** As if the power went. */
  kill(): Promise<void>;
  /** Starts again where it was, with what it kept. */
  start(): Promise<void>;
  /** Stops its time, and lets it go on. */
  pause(): void;
  resume(): void;
  /** One command, as a person at a terminal would give it. */
  command(...words: readonly string[]): Promise<string>;
}

/** A real server on a free port of this machine, without persistence unless told otherwise. */
export function startRedis(...options: readonly string[]): Promise<RedisServer> {
  return startServer('redis-server', options);
}

/** The same on a port that was announced before. */
export function startRedisAt(port: number, ...options: readonly string[]): Promise<RedisServer> {
  return startServer('redis-server', options, port);
}

/** The same with another program that speaks like it. */
export async function startServer(
  program: string,
  options: readonly string[],
  known?: number,
): Promise<RedisServer> {
  const directory = tempTree();
  const port = known ?? (await freePort());
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory.path, '--save', ''];
    child = spawn(program, [...fixed, '--repl-diskless-sync-delay', '0', ...options], {
      stdio: 'ignore',
    });
    await untilItAnswers(port);
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    port,
    address: `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    command: (...words) => commandOf(port, words),
    async [Symbol.asyncDispose]() {
      await kill();
      directory[Symbol.dispose]();
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export async function untilItAnswers(port: number): Promise<void> {
  const until = performance.now() + 10_000;
  for (;;) {
    const answer = await commandOf(port, ['PING']).catch(() => '');
    if (answer.includes('PONG')) return;
    if (performance.now() > until) throw new Error('redis-server does not answer');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The answer as it is written on the wire, without its end of line. */
export async function commandOf(port: number, words: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  // A sentinel knows no QUIT: there the end of what is said has to do.
  socket.end(`*${words.length}\r\n${parts.join('')}*1\r\n$4\r\nQUIT\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text.replace(/\r\n\+OK\r\n$/, '');
}
