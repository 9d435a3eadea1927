import { setFlagsFromString } from 'node:v8';
import { runCli } from './run-cli.ts';

/** Runs the command line of this process. */
export async function runMain(): Promise<void> {
  // V8 lets a small heap grow fourfold before it collects; a few large files would then take 350 MB.
  setFlagsFromString('--heap-growing-percent=50');
  const { stdout, stderr, env } = process;
  // The reader closed the pipe, as in `rootward find --json | head -n 1`. That is not a failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.exitCode = await runCli(process.argv.slice(2), {
    process: { stdout, stderr, env },
    cwd: process.cwd(),
    isTerminal: process.stdin.isTTY,
    isWorker: process.connected,
  });
}
