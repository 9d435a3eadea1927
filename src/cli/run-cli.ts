import { run, ExitCode as StricliCode } from '@stricli/core';
import type { CliContext } from '../serve/settings/process-context.ts';
import { app } from './rootward-command.ts';
import { exitCode } from './terminal/exit-code.ts';

/**
 * Runs one command line and returns the exit code. Without arguments it serves, as clients expect; a person at a
 * terminal sees the help instead.
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  await run(app, argv.length === 0 ? [context.isTerminal === true ? '--help' : 'serve'] : [...argv], context);
  return toExitCode(context.process.exitCode);
}

/** Maps Stricli's negative exit codes to ours, which are documented. */
function toExitCode(code: CliContext['process']['exitCode']): number {
  switch (code) {
    case undefined:
    case null:
      return exitCode.ok;
    case StricliCode.UnknownCommand:
    case StricliCode.InvalidArgument:
      return exitCode.usage;
    default:
      return typeof code === 'number' && code >= 0 ? code : exitCode.failed;
  }
}
