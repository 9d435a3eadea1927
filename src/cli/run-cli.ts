import { run, ExitCode as StricliCode } from '@stricli/core';
import type { CliContext } from '../serve/settings/process-context.ts';
import { app } from './rootward-command.ts';
import { exitCode } from './terminal/exit-code.ts';

/**
 * Runs one command line. Without any it serves, as a client that starts it expects; a person at a terminal is
 * told what there is instead. Returns the exit code.
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  await run(app, argv.length === 0 ? [context.isTerminal === true ? '--help' : 'serve'] : [...argv], context);
  return toExitCode(context.process.exitCode);
}

/** Stricli has negative codes of its own for what it refuses; ours are documented. */
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
