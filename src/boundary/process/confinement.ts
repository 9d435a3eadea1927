import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { hasProc, procDriver } from '../system/proc-driver.ts';
import { findProgram, type FoundProgram } from './find-program.ts';
import { limitedProgram, maskedPlaces, sandboxArguments } from './sandbox-arguments.ts';

/** A bubblewrap that was found and tested. */
export interface FoundBubblewrap {
  readonly kind: 'bubblewrap';
  /** Absolute path. */
  readonly program: string;
  readonly version: string;
  /** Whether it can prevent a program from creating its own namespaces. */
  readonly refusesNesting: boolean;
  /** Other programs of this name that are unsafe to start, each with the reason. */
  readonly passedOver?: readonly string[];
}

/** The means to confine a program on this system. `none` says why there is none. */
export type Confinement = FoundBubblewrap | { readonly kind: 'none'; readonly reason: string };

export interface ProbeConfinementOptions {
  /** The search path; `PATH` by default. */
  readonly searchPath?: string | undefined;
  /** Directories in which tools may write, as far as known. */
  readonly roots?: readonly string[];
  /** An absolute path to use without searching. */
  readonly program?: string;
  /** Time limit of each of the two trials; 5,000 by default. */
  readonly milliseconds?: number;
}

/** Required options: handles instead of names, limits, and a reported exit code. */
const needed = [
  '--bind-fd',
  '--ro-bind-fd',
  '--ro-bind-data',
  '--json-status-fd',
  '--remount-ro',
  '--size',
  '--perms',
] as const;

/**
 * Tests whether a program can be confined here. Never throws, and never accepts less: the result is `none`
 * unless a trial succeeds.
 *
 * On Linux only, with bubblewrap 0.10 or a version with backported handle options (as in Debian 12 and Ubuntu
 * 22.04).
 *
 * @example
 * ```ts
 * const confinement = await probeConfinement({ searchPath: '/nowhere' });
 * confinement.kind // → 'none'
 * ```
 */
export async function probeConfinement(options: ProbeConfinementOptions = {}): Promise<Confinement> {
  if (process.platform !== 'linux') return none('bubblewrap, which confines programs, is for Linux');
  if (!hasProc()) return none('/proc is not mounted');
  const { file: program, passedOver } = find(options);
  if (program === undefined) return none(['bubblewrap (bwrap) is not installed', ...passedOver].join('; '));
  const help = await trial(program, ['--help'], options);
  const version = (await trial(program, ['--version'], options)).stdout.replace(/^\D*/, '').trim();
  const missing = needed.filter((option) => !help.stdout.includes(option));
  if (missing.length > 0) return none(`bubblewrap ${version} is too old: it has no ${missing.join(', ')}`);
  const refusesNesting = help.stdout.includes('--disable-userns');
  const found: FoundBubblewrap = {
    kind: 'bubblewrap',
    program,
    version,
    refusesNesting,
    ...(passedOver.length > 0 && { passedOver }),
  };
  const { stdout, stderr } = await tryOut(found, options);
  return stdout === 'confined\n' ? found : none(whyNot(stderr));
}

function find({ program, searchPath = process.env['PATH'], roots }: ProbeConfinementOptions): FoundProgram {
  return program === undefined ? findProgram('bwrap', searchPath, roots) : { file: program, passedOver: [] };
}

function none(reason: string): Confinement {
  return { kind: 'none', reason };
}

/** Distributions may disable user namespaces for ordinary users. */
function whyNot(stderr: string): string {
  const [line = ''] = stderr.split('\n', 1);
  const reason = line.slice(0, 200) || 'it printed no reason';
  return `bubblewrap cannot make a sandbox here (${reason}); user namespaces may be switched off`;
}

/** Runs a trivial command in a sandbox with the real options. */
async function tryOut(
  { program, refusesNesting }: FoundBubblewrap,
  options: ProbeConfinementOptions,
): Promise<TrialOutput> {
  const top = procDriver.openTop('/usr');
  try {
    const args = sandboxArguments({
      top: '/usr',
      topHandle: 3,
      writable: false,
      directory: '/usr',
      masks: [],
      statusHandle: 4,
      network: false,
      readable: [],
      masked: presentMasks(),
      temporary: 1_048_576,
      refusesNesting,
    });
    const inside = limitedProgram('/bin/sh', ['-c', 'echo confined'], { memory: 268_435_456, processes: 64 });
    return await trial(program, [...args, ...inside], options, [top.fd]);
  } finally {
    procDriver.close(top);
  }
}

/** Only existing files can be masked. */
export function presentMasks(): readonly string[] {
  return maskedPlaces.filter((place) => existsSync(place));
}

interface TrialOutput {
  readonly stdout: string;
  readonly stderr: string;
}

function trial(
  program: string,
  args: readonly string[],
  { milliseconds = 5_000 }: ProbeConfinementOptions,
  handles: readonly number[] = [],
): Promise<TrialOutput> {
  const output = { stdout: '', stderr: '' };
  const status = openSync('/dev/null', 'w');
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe', ...handles, status] as const;
    const child = spawn(program, args, {
      stdio: [...stdio],
      env: {},
      timeout: milliseconds,
      killSignal: 'SIGKILL',
    });
    const end = (): void => resolve(output);
    child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('utf8')));
    child.once('error', end).once('close', end);
  }).finally(() => closeSync(status)) as Promise<TrialOutput>;
}
