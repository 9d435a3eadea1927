import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname, isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { RootwardError } from '../../errors.ts';
import { translate } from '../system/errno.ts';

/** The program to run, and its time limit. */
export interface ProgramOptions {
  /** Absolute: a name would be looked up, perhaps in an untrusted directory. */
  readonly file: string;
  readonly args: readonly string[];
  /** Time after which it is killed. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export interface ProgramEnd {
  /** `undefined` if it was killed. */
  readonly code: number | undefined;
  /** The reason why it was killed here. */
  readonly stopped: 'time' | 'aborted' | undefined;
  /** The beginning of its stderr. */
  readonly stderr: string;
}

/** A running program. */
export interface RunningProgram extends AsyncDisposable {
  /** For the program's input; must be ended. It is no error if the program stops reading. */
  readonly stdin: Writable;
  /** Must be read to the end, or the program closed; otherwise the program blocks. */
  readonly stdout: Readable;
  readonly ended: Promise<ProgramEnd>;
  /** Kills it if it still runs, and waits for its end. */
  close(): Promise<void>;
}

/**
 * Starts a program that examines only its input: it gets no path, no handle and no environment, and starts in
 * its own directory.
 *
 * The program is not confined: only its arguments keep it from opening other files of its user. Only the
 * program itself is killed, not processes that it may have started.
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
  // A caller that only closes the program ignores how it ended.
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
