import { type ChildProcess, spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { RootwardError } from '../errors.ts';
import type { BoundaryContext, Request } from './context.ts';
import { translate } from './errno.ts';
import { openDirectory } from './list.ts';

/** What to run, and for how long. */
export interface ProgramOptions {
  /** Absolute: a name would be looked up, possibly in the very directory that nobody vouches for. */
  readonly file: string;
  readonly args: readonly string[];
  /** Nothing is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads; nothing by default. */
  readonly input?: Uint8Array;
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

/** A program that runs. It keeps the boundary open until it has ended. */
export interface Program extends AsyncDisposable {
  /** Read it to the end or close the program: it waits otherwise. */
  readonly stdout: Readable;
  readonly ended: Promise<ProgramEnd>;
  /** Kills it, if it still runs, and waits for its end. */
  close(): Promise<void>;
}

/**
 * Starts a program in a directory of the root. The directory is reached like every other and handed over as
 * an open handle where the system can, so that no link is followed on the way there.
 *
 * The program itself is not confined: it can open whatever its user can. Nothing that it prints is known to
 * come from the root. It alone is killed at its end, not what it may have started.
 */
export function startProgram(context: BoundaryContext, path: string, options: ProgramOptions): Program {
  const { file } = options;
  if (!isAbsolute(file))
    throw new RootwardError('INVALID_PATH', { path: file, reason: 'it is not absolute' });
  options.signal?.throwIfAborted();
  const request: Request = { operation: 'list', verb: 'start a program in', path };
  const leave = context.lease.enter();
  try {
    return watchOver(spawnIn(context, request, options), { context, request, options, leave });
  } catch (error) {
    leave();
    throw translate(error, request);
  }
}

/** The child enters the directory before this returns, so the handle is needed no longer. */
function spawnIn(context: BoundaryContext, request: Request, options: ProgramOptions): ChildProcess {
  const { driver } = context;
  const { directory } = openDirectory(context, request);
  try {
    return spawn(options.file, options.args, {
      cwd: driver.self(directory),
      env: { ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } finally {
    driver.close(directory);
  }
}

interface Watch {
  readonly context: BoundaryContext;
  readonly request: Request;
  readonly options: ProgramOptions;
  readonly leave: () => void;
}

function watchOver(child: ChildProcess, watch: Watch): Program {
  const { context, options } = watch;
  let stopped: ProgramEnd['stopped'];
  const stop = (why: ProgramEnd['stopped']): void => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop('time'), options.milliseconds);
  const abort = (): void => stop('aborted');
  const signals = [context.lease.closing, options.signal].filter((signal) => signal !== undefined);
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  const ended = endOf(child, watch, () => stopped).finally(() => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', abort);
    watch.leave();
  });
  // Whoever only closes it does not ask how it ended.
  ended.catch(() => undefined);
  feed(child, options.input);
  const close = async (): Promise<void> => {
    stop('aborted');
    child.stdout?.destroy();
    await ended.catch(() => undefined);
  };
  return { stdout: outputOf(child), ended, close, [Symbol.asyncDispose]: close };
}

function endOf(
  child: ChildProcess,
  { request }: Watch,
  stopped: () => ProgramEnd['stopped'],
): Promise<ProgramEnd> {
  const errors: Buffer[] = [];
  let room = 16 * 1024;
  child.stderr?.on('data', (chunk: Buffer) => {
    if (room > 0) errors.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(translate(error, request)));
    child.once('close', (code) => {
      resolve({
        code: code ?? undefined,
        stopped: stopped(),
        stderr: Buffer.concat(errors).toString('utf8'),
      });
    });
  });
}

/** A program that ends before it has read everything is no failure. */
function feed({ stdin }: ChildProcess, input: Uint8Array | undefined): void {
  stdin?.on('error', () => undefined);
  stdin?.end(input);
}

function outputOf({ stdout }: ChildProcess): Readable {
  if (stdout === null) throw new TypeError('the program has no stdout');
  return stdout;
}
