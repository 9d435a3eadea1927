import type { Readable } from 'node:stream';
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
  /** Whether this process is a worker of another one, which prints for all of them. */
  readonly isWorker?: boolean;
  /** Set where a server runs inside another program, such as a test; without it the process is its own. */
  readonly guest?: GuestStreams;
}

/** The streams and the end of a server that does not own its process. */
export interface GuestStreams {
  readonly stdin: Readable;
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  /** Ends the server, as a signal does. */
  readonly ended: Promise<unknown>;
}
