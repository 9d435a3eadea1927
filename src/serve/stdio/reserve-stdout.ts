import { Writable } from 'node:stream';

/** The streams of the process that are affected. */
export interface ReservedStreams {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
}

/**
 * Reserves stdout for the returned stream and redirects everything else to stderr, because a package that prints
 * would corrupt the protocol. Native code that writes to the descriptor cannot be redirected.
 */
export function reserveStdout({ stdout, stderr }: ReservedStreams): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, done),
  });
}
