import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type CommandOptions, serveCommand } from '../processes/command.ts';

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
export async function startHttp({ http = ':0', ...options }: HttpCommandOptions = {}): Promise<Listening> {
  const command = serveCommand({ ...options, args: [...(options.args ?? []), '--http', http] });
  const child = spawn(command.command, command.args, { cwd: command.cwd, env: command.env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (/listening on .*\n/.test(stderr)) setImmediate(resolve);
    });
  });
  const deadline = AbortSignal.timeout(15_000);
  await Promise.race([said, ended, once(deadline, 'abort')]);
  const url = /listening on (\S+)/.exec(stderr)?.[1];
  if (url === undefined) throw new Error(`It does not listen: ${stderr}`);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    token: /bearer token, shown once: (\S+)/.exec(stderr)?.[1] ?? '',
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      command[Symbol.dispose]();
    },
  };
}
