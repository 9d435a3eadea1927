import { Writable } from 'node:stream';

/** What of a process is reserved. */
export interface Printing {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
}

/**
 * Keeps stdout for whoever holds the result. A package that prints would spoil the protocol; what it prints
 * goes to stderr from here on. What another language writes to the descriptor cannot be caught.
 */
export function reserveStdout({ stdout, stderr }: Printing): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, done),
  });
}
