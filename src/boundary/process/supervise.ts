import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isErrno } from '../system/errno.ts';
import { CapturedOutput, type ProgramOutput } from './captured-output.ts';
import { measureTree } from './process-tree.ts';

/** Limits of a program and everything that it starts. */
export interface RunLimits {
  readonly milliseconds: number;
  /** Bytes of each stream to keep. */
  readonly kept: number;
  /** Most bytes of output in total. */
  readonly output: number;
  /** Bytes of memory, of all processes together and of each. */
  readonly memory: number;
  readonly processes: number;
}

/** The reason why a program was killed. */
export type StopReason = 'time' | 'output' | 'memory' | 'processes' | 'cancelled';

/** How a program ended, and its output. */
export interface RunEnd {
  /** Absent if a signal ended it. */
  readonly code?: number;
  readonly signal?: string;
  /** Absent if it ended by itself. */
  readonly stopped?: StopReason;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
  readonly milliseconds: number;
}

export interface SuperviseOptions {
  readonly limits: RunLimits;
  readonly signals: readonly AbortSignal[];
  /** Called with the number of bytes written so far. */
  readonly onOutput?: ((bytes: number) => void) | undefined;
}

/** Milliseconds between measurements of memory and processes, unless a measurement itself takes long. */
const lookEvery = 200;
/**
 * Milliseconds for which another process may hold the pipes of an ended program, and that a kill may take.
 */
const grace = { pipes: 500, kill: 5_000 } as const;

/**
 * Supervises a child that leads its own process group, until it has ended. Kills the group when a limit is
 * reached, and also when the child ends by itself, so that no process stays behind. Never waits longer than
 * the time limit and a few seconds.
 *
 * Memory and processes are measured from `/proc` several times a second, where it exists. Use between two
 * measurements is not seen.
 */
export function supervise(child: ChildProcess, options: SuperviseOptions): Promise<RunEnd> {
  return new Supervision(child, options).ended;
}

class Supervision {
  readonly ended: Promise<RunEnd>;
  readonly #child: ChildProcess;
  readonly #options: SuperviseOptions;
  readonly #started = performance.now();
  readonly #stdout: CapturedOutput;
  readonly #stderr: CapturedOutput;
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped: StopReason | undefined;
  #exit: { code: number | null; signal: string | null } = { code: null, signal: null };
  #resolve: (end: RunEnd) => void = () => undefined;

  constructor(child: ChildProcess, options: SuperviseOptions) {
    this.#child = child;
    this.#options = options;
    this.#stdout = new CapturedOutput(options.limits.kept);
    this.#stderr = new CapturedOutput(options.limits.kept);
    this.ended = new Promise<RunEnd>((resolve, reject) => {
      this.#resolve = resolve;
      child.once('error', (error) => {
        // The child never started, so there is nothing to wait for.
        if (child.pid === undefined) reject(error);
      });
    }).finally(() => this.#release());
    this.#watch();
  }

  readonly #cancel = (): void => this.#stop('cancelled');

  #watch(): void {
    const { limits, signals } = this.#options;
    const child = this.#child;
    this.#keep(child.stdout, this.#stdout);
    this.#keep(child.stderr, this.#stderr);
    child.once('exit', (code, signal) => this.#left({ code, signal }));
    child.once('close', () => this.#finish());
    this.#after(limits.milliseconds, () => this.#stop('time'));
    for (const signal of signals) signal.addEventListener('abort', this.#cancel, { once: true });
    if (signals.some(({ aborted }) => aborted)) this.#cancel();
    this.#after(lookEvery, () => this.#look());
  }

  #keep(stream: NodeJS.ReadableStream | null, into: CapturedOutput): void {
    stream?.on('data', (chunk: Buffer) => {
      into.push(chunk);
      const bytes = this.#stdout.bytes + this.#stderr.bytes;
      this.#options.onOutput?.(bytes);
      if (bytes > this.#options.limits.output) this.#stop('output');
    });
    stream?.on('error', () => undefined);
  }

  #left(exit: { code: number | null; signal: string | null }): void {
    this.#exit = exit;
    this.#kill();
    this.#after(grace.pipes, () => this.#finish());
  }

  #stop(why: StopReason): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = why;
    this.#kill();
    this.#after(grace.kill, () => this.#finish());
  }

  #kill(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  #look(): void {
    const { memory, processes } = this.#options.limits;
    const began = performance.now();
    const use = this.#child.pid === undefined ? undefined : measureTree(this.#child.pid);
    if (use === undefined) return;
    if (use.processes > processes) return this.#stop('processes');
    if (use.bytes > memory) return this.#stop('memory');
    // Measurements take at most a fiftieth of the time of this process.
    this.#after(Math.max(lookEvery, (performance.now() - began) * 50), () => this.#look());
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(act, milliseconds);
    this.#timers.add(timer);
  }

  #finish(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    const { code, signal } = readExit(this.#exit);
    this.#resolve({
      ...(code === undefined ? {} : { code }),
      ...(signal === undefined ? {} : { signal }),
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      stdout: this.#stdout.read(),
      stderr: this.#stderr.read(),
      milliseconds: Math.round(performance.now() - this.#started),
    });
  }

  #release(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const signal of this.#options.signals) signal.removeEventListener('abort', this.#cancel);
  }
}

/** A shell or sandbox reports the signal that ended a program as 128 plus its number. */
function readExit(exit: { code: number | null; signal: string | null }): { code?: number; signal?: string } {
  if (exit.signal !== null) return { signal: exit.signal };
  if (exit.code === null) return {};
  const names = Object.entries(constants.signals);
  const [signal] = names.find(([, number]) => exit.code === 128 + number) ?? [];
  return { code: exit.code, ...(signal === undefined ? {} : { signal }) };
}

/**
 * Kills a program that leads its own group, with everything in the group: children of a shell hold its pipes
 * open and would go on without it. Not killed: processes that left the group.
 */
export function killGroup(pid: number): void {
  if (process.platform === 'win32') return killTree(pid);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Windows has no process groups; `taskkill` follows the tree of processes. */
function killTree(pid: number): void {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  const child = spawn(`${root}\\System32\\taskkill.exe`, ['/pid', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => undefined);
}
