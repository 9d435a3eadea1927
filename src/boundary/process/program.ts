import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname, isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { RootwardError } from '../../errors.ts';
import { translate } from '../system/errno.ts';

/** What to run, and for how long. */
export interface ProgramOptions {
  /** Absolute: a name would be looked up, possibly in the very directory that nobody vouches for. */
  readonly file: string;
  readonly args: readonly string[];
  /** It is killed then. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export interface ProgramEnd {
  /** `undefined` if it was killed. */
  readonly code: number | undefined;
  /** Why we killed it. */
  readonly stopped: 'time' | 'aborted' | undefined;
  /** The first of what it said on stderr. */
  readonly stderr: string;
}

/** A program that runs. */
export interface RunningProgram extends AsyncDisposable {
  /** Write what it shall look at, then end it. A program that stops reading is no failure. */
  readonly stdin: Writable;
  /** Read it to the end or close the program: it waits otherwise. */
  readonly stdout: Readable;
  readonly ended: Promise<ProgramEnd>;
  /** Kills it, if it still runs, and waits for its end. */
  close(): Promise<void>;
}

/**
 * Starts a program that looks at what it is given to read and at nothing else: it gets no path, no handle and no
 * environment, and begins in its own directory.
 *
 * The program itself is not confined: nothing but its arguments keeps it from opening what its user can. It alone is
 * killed at its end, not what it may have started.
 */
export function startProgram(options: ProgramOptions): RunningProgram {
  const { file, args } = options;
  if (!isAbsolute(file))
    throw new RootwardError('INVALID_PATH', { path: file, reason: 'it is not absolute' });
  options.signal?.throwIfAborted();
  return watchOver(spawn(file, args, { cwd: dirname(file), env: {}, windowsHide: true }), options);
}

function watchOver(child: ChildProcessWithoutNullStreams, options: ProgramOptions): RunningProgram {
  let stopped: ProgramEnd['stopped'];
  const stop = (why: ProgramEnd['stopped']): void => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop('time'), options.milliseconds);
  const abort = (): void => stop('aborted');
  options.signal?.addEventListener('abort', abort, { once: true });
  const ended = endOf(child, options, () => stopped).finally(() => {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  });
  // A caller that only closes the program does not ask how it ended.
  ended.catch(() => undefined);
  const { stdin, stdout } = child;
  stdin.on('error', () => undefined);
  const close = async (): Promise<void> => {
    stop('aborted');
    stdin.destroy();
    stdout.destroy();
    await ended.catch(() => undefined);
  };
  return { stdin, stdout, ended, close, [Symbol.asyncDispose]: close };
}

function endOf(
  child: ChildProcessWithoutNullStreams,
  { file }: ProgramOptions,
  stopped: () => ProgramEnd['stopped'],
): Promise<ProgramEnd> {
  const errors: Buffer[] = [];
  let room = 16 * 1024;
  child.stderr.on('data', (chunk: Buffer) => {
    if (room > 0) errors.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(translate(error, { verb: 'start', path: file })));
    child.once('close', (code) => {
      resolve({
        code: code ?? undefined,
        stopped: stopped(),
        stderr: Buffer.concat(errors).toString('utf8'),
      });
    });
  });
}
