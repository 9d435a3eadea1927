import { PassThrough } from 'node:stream';
import { runCli } from '../../../src/cli/run-cli.ts';
import {
  openStdioWire,
  type RunningServer,
  type StdioWire,
  wireTo,
} from '../../../src/testing/stdio-wire.ts';
import type { OwnCommand } from './command.ts';
import { program } from './program.ts';

/**
 * Whether servers that could run in the process of the test get a process each, as in CI: they take ten times the
 * processor time then.
 */
export const apart: boolean = process.env['SERVERS_APART'] === '1';

/**
 * Runs `rootward serve` in this process, from reading its settings to closing its records. The process itself is not
 * tested then: signals, its streams, its home directory, the program as it is bundled, and what becomes of memory.
 */
export function serveHere({ args, cwd, env }: OwnCommand): RunningServer {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let stop = (): void => undefined;
  const ended = new Promise<void>((resolve) => (stop = resolve));
  const print = (stream: PassThrough) => ({ write: (text: string) => void stream.write(text) });
  const exited = runCli(args.slice(args.indexOf(program) + 1), {
    process: { stdout: print(stdout), stderr: print(stderr), env: { ...env } },
    cwd,
    guest: { stdin, stdout, stderr, ended },
  }).then((code) => {
    stdout.end();
    stderr.end();
    return { code, signal: null };
  });
  return { stdin, stdout, stderr, exited, stop };
}

/** A wire to a server in this process. */
export function openWireHere(command: OwnCommand): StdioWire {
  return apart ? openStdioWire(command) : wireTo(serveHere(command));
}
