import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { bounded } from '../../base/wait.ts';
import { translate } from '../system/errno.ts';
import { killGroup } from './supervise.ts';

/** A program to start, exactly as it is named. */
export interface ServerLaunch {
  /** Looked up in the `PATH` of `env` if it is a name. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a server ended. One of the two is set. */
export interface ServerEnd {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

/** A running server that speaks on its streams. */
export interface ServerProcess {
  /** It is no error if the server stops reading. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Resolves when the process has ended and its output was read.
   *
   * @throws {RootwardError} if it never started
   */
  readonly ended: Promise<ServerEnd>;
  /** Ends its input; if it still runs, SIGTERM; if it still runs, SIGKILL for everything in its group. */
  stop(): Promise<void>;
}

/** Milliseconds between the end of the input, SIGTERM and SIGKILL, and for the last output. */
const grace = { input: 2_000, terminate: 2_000, pipes: 500 } as const;

/**
 * Starts a server without confinement: it can do whatever its user can. It leads a process group of its own, and
 * what is left of the group is killed when the server has ended. If this process is killed, a guard ends the group
 * within seconds, except on Windows.
 *
 * Not ended: processes that left the group.
 */
export function startServerUnchecked({ file, args, cwd, env }: ServerLaunch): ServerProcess {
  const child = spawn(file, args, {
    cwd,
    env: { ...env },
    stdio: 'pipe',
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { stdin, stdout, stderr } = child;
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
  const guard = startGuard(child.pid);
  const ended = endOf(child, file).finally(() => guard?.kill('SIGKILL'));
  // A caller may only stop it.
  ended.catch(() => undefined);
  return { stdin, stdout, stderr, ended, stop: () => stop(child, ended) };
}

/**
 * Waits for the end of this process in one of its own, and then ends the server: a server that ignores the end of
 * its input would stay behind for ever.
 */
function startGuard(pid: number | undefined): ChildProcess | undefined {
  if (pid === undefined || process.platform === 'win32') return undefined;
  const script = 'read _; sleep 1; kill -TERM "-$1"; sleep 1; kill -KILL "-$1"';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return guard;
}

function endOf(child: ChildProcessWithoutNullStreams, file: string): Promise<ServerEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) reject(translate(error, { verb: 'start', path: file }));
    });
    child.once('exit', (code, signal) => {
      // Another process of the group may hold the pipes open.
      if (child.pid !== undefined) killGroup(child.pid);
      const stopWaiting = closeIdlePipes(child);
      child.once('close', () => {
        stopWaiting();
        resolve({ code: code ?? undefined, signal: signal ?? undefined });
      });
    });
  });
}

/** Closes the pipes of an ended server that a process outside its group holds, once nothing comes any more. */
function closeIdlePipes({ stdout, stderr }: ChildProcessWithoutNullStreams): () => void {
  const timer = setInterval(() => {
    // A reader that is slow still wants the rest.
    if (stdout.isPaused() || stdout.readableLength > 0) return;
    stdout.destroy();
    stderr.destroy();
  }, grace.pipes);
  return () => clearInterval(timer);
}

async function stop(child: ChildProcessWithoutNullStreams, ended: Promise<ServerEnd>): Promise<void> {
  const settled = ended.catch(() => undefined);
  child.stdin.end();
  // Output that no reader takes would keep a server from ending.
  child.stdout.resume();
  if ('value' in (await bounded(settled, { patience: grace.input }))) return;
  child.kill('SIGTERM');
  if ('value' in (await bounded(settled, { patience: grace.terminate }))) return;
  if (child.pid !== undefined) killGroup(child.pid);
  await settled;
}
