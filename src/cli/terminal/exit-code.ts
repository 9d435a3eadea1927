import type { CliContext } from '../../serve/settings/process-context.ts';

/** Exit codes for programs. Documented in the help of every command; never renumber. */
export const exitCode = {
  /** Done, or allowed. */
  ok: 0,
  /** Refused by a rule or by the boundary. */
  refused: 1,
  /** The command line is invalid. */
  usage: 2,
  /** Any other failure. */
  failed: 3,
} as const;

/** Reports a combination of flags that makes no sense, as a usage error. */
export function refuseUsage({ process }: CliContext, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode.usage;
}
