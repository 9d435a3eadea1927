import type { ApplicationContext, StricliProcess } from '@stricli/core';

/** A stream that knows whether a person is looking. */
export interface TerminalStream {
  write(text: string): void;
  readonly isTTY?: boolean;
}

/** What a command may touch of the process. An argument, so that tests can look at it. */
export interface CliContext extends ApplicationContext {
  readonly process: StricliProcess & { readonly stdout: TerminalStream; readonly stderr: TerminalStream };
  readonly cwd: string;
  /** Whether a person types, rather than a program. */
  readonly isTerminal?: boolean;
}
