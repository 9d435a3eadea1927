import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type ReservedStreams, reserveStdout } from './reserve-stdout.ts';

/** Streams that keep their output. */
function printing(): ReservedStreams & { readonly out: string[]; readonly err: string[] } {
  const stream = (kept: string[]): ReservedStreams['stdout'] => ({
    write(chunk: string | Uint8Array, ...rest: unknown[]) {
      kept.push(String(chunk));
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    },
  });
  const out: string[] = [];
  const err: string[] = [];
  return { out, err, stdout: stream(out), stderr: stream(err) };
}

test('redirects other output to stderr, and keeps stdout for its holder', async () => {
  const streams = printing();
  const { stdout, out, err } = streams;
  stdout.write('before');
  const reserved = reserveStdout(streams);
  stdout.write('spoiled');
  reserved.end('protocol');
  await once(reserved, 'finish');
  expect(out).toEqual(['before', 'protocol']);
  expect(err).toEqual(['spoiled']);
});

test('a failing stdout fails for its holder', async () => {
  const streams = printing();
  const broken = Object.assign(streams.stdout, {
    write(_chunk: unknown, done: (error: Error) => void) {
      done(new Error('EPIPE'));
      return false;
    },
  });
  const reserved = reserveStdout({ ...streams, stdout: broken });
  reserved.write('protocol');
  const [error] = await once(reserved, 'error');
  expect(error).toEqual(new Error('EPIPE'));
});
