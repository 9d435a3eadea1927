import type { CliContext } from '../../serve/settings/process-context.ts';

/** What the command says to a program. Documented in the help of every command; never renumber. */
export const exitCode = {
  /** Done, or allowed. */
  ok: 0,
  /** Refused by a rule or by the boundary. */
  refused: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Something else went wrong. */
  failed: 3,
} as const;

/** Something about the command line that only its parts together show. */
export function refuseUsage({ process }: CliContext, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode.usage;
}
