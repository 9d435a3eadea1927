import { resolve } from 'node:path';
import { run, ExitCode as StricliCode } from '@stricli/core';
import type { CliContext } from '../serve/settings/process-context.ts';
import { app, commandNames } from './rootward-command.ts';
import { exitCode } from './terminal/exit-code.ts';

/** Runs one command line and returns the exit code. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  await run(app, await completeLine(argv, context), context);
  return toExitCode(context.process.exitCode);
}

/**
 * Adds `serve` where no command is named, as clients expect: nothing at all, a flag, or a directory. A person at a
 * terminal who names nothing sees the help instead. Any other first word is a mistyped command.
 */
async function completeLine(argv: readonly string[], context: CliContext): Promise<readonly string[]> {
  const [first] = argv;
  if (first === undefined) return [context.isTerminal === true ? '--help' : 'serve'];
  if (commandNames.has(first) || aboutItself.has(first)) return argv;
  const serves = first.startsWith('-') || (await namesDirectory(first, context));
  return serves ? ['serve', ...argv] : argv;
}

/** Flags of the program itself. */
const aboutItself: ReadonlySet<string> = new Set([
  '--help',
  '-h',
  '--help-all',
  '--helpAll',
  '-H',
  '--version',
  '-v',
]);

async function namesDirectory(word: string, { cwd }: CliContext): Promise<boolean> {
  if (/[\\/]|^\.{1,2}$|^~$/.test(word)) return true;
  // Few command lines need it.
  const { lookAt } = await import('../boundary/look/look-at.ts');
  const found = await lookAt(resolve(cwd, word));
  return 'kind' in found && found.kind === 'directory';
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
