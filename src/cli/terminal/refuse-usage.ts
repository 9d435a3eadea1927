import type { CliContext } from '../../serve/settings/process-context.ts';
import { exitCode } from './exit-code.ts';

/** Something about the command line that only its parts together show. */
export function refuseUsage({ process }: CliContext, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode.usage;
}
