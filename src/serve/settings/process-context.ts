import type { ApplicationContext, StricliProcess } from '@stricli/core';

/** A stream that knows whether it is a terminal. */
export interface TerminalStream {
  write(text: string): void;
  readonly isTTY?: boolean;
}

/** The parts of the process that a command uses, as an argument for tests. */
export interface CliContext extends ApplicationContext {
  readonly process: StricliProcess & { readonly stdout: TerminalStream; readonly stderr: TerminalStream };
  readonly cwd: string;
  /** Whether a person types, rather than a program. */
  readonly isTerminal?: boolean;
}
