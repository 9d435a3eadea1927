import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type CommandOptions, type OwnCommand, serveCommand } from '../processes/command.ts';
import { apart, serveHere } from '../processes/serve-here.ts';

/** The real command, listening. */
export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The one that was shown; empty where none was. */
  readonly token: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has ended, with its exit code. */
  readonly ended: Promise<number | null>;
}

export interface HttpCommandOptions extends CommandOptions {
  /** Where; a free port by default. */
  readonly http?: string;
}

/** Starts it on a free port, and waits until it says where it listens. */
export async function startHttp(options: HttpCommandOptions = {}): Promise<Listening> {
  const command = httpCommand(options);
  const child = spawn(command.command, command.args, { cwd: command.cwd, env: command.env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const { stdout, stderr, pid = 0 } = child;
  return untilListening(command, { stdout, stderr, pid, ended, stop: () => void child.kill('SIGKILL') });
}

/** The same in the process of the test, for what depends on settings and requests alone. */
export async function startHttpHere(options: HttpCommandOptions = {}): Promise<Listening> {
  if (apart) return startHttp(options);
  const command = httpCommand(options);
  const { stdout, stderr, exited, stop } = serveHere(command);
  const ended = exited.then(({ code }) => code);
  return untilListening(command, { stdout, stderr, pid: process.pid, ended, stop });
}

function httpCommand({ http = ':0', ...options }: HttpCommandOptions): OwnCommand {
  return serveCommand({ ...options, args: [...(options.args ?? []), '--http', http] });
}

interface StartedServer extends Pick<Listening, 'pid' | 'ended'> {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stop: () => void;
}

async function untilListening(command: OwnCommand, server: StartedServer): Promise<Listening> {
  const { pid, ended, stop } = server;
  let stdout = '';
  let stderr = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const said = new Promise<void>((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (/listening on .*\n/.test(stderr)) setImmediate(resolve);
    });
  });
  const deadline = AbortSignal.timeout(45_000);
  await Promise.race([said, ended, once(deadline, 'abort')]);
  const url = /listening on (\S+)/.exec(stderr)?.[1];
  if (url === undefined) throw new Error(`It does not listen: ${stderr}`);
  return {
    url,
    port: Number(new URL(url).port),
    pid,
    token: /bearer token, shown once: (\S+)/.exec(stderr)?.[1] ?? '',
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async [Symbol.asyncDispose]() {
      stop();
      await ended;
      command[Symbol.dispose]();
    },
  };
}
