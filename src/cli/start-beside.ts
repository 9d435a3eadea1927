import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CliContext } from './command-context.ts';

/** Another command of ours that lives as long as this one. */
export interface Beside {
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the server of this installation over HTTP, with the roots of the person. What it says goes to stderr. */
export function startBeside(
  { cwd, process: { stderr, env } }: CliContext,
  program: string = process.argv[1] ?? '',
): Beside {
  const child = spawn(process.execPath, [program, 'serve', '--http', ':0', '--store'], {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.write(text));
  const ended = once(child, 'exit').catch(() => {});
  return {
    ended,
    async close() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
