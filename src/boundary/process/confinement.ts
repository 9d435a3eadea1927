import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { hasProc, procDriver } from '../system/proc-driver.ts';
import { findProgram, type FoundProgram } from './find-program.ts';
import { limitedProgram, maskedPlaces, sandboxArguments } from './sandbox-arguments.ts';

/** Bubblewrap, as it was found and tried. */
export interface FoundBubblewrap {
  readonly kind: 'bubblewrap';
  /** Absolute. */
  readonly program: string;
  readonly version: string;
  /** Whether it can keep a program from making namespaces of its own. */
  readonly refusesNesting: boolean;
  /** Others of its name that are not safe to start, each with the reason. */
  readonly passedOver?: readonly string[];
}

/** What can confine a program on this system. `none` says why. */
export type Confinement = FoundBubblewrap | { readonly kind: 'none'; readonly reason: string };

export interface ProbeConfinementOptions {
  /** Where programs are looked for; `PATH` by default. */
  readonly searchPath?: string | undefined;
  /** Directories in which tools may write, as far as they are known. */
  readonly roots?: readonly string[];
  /** The program itself, where the caller knows it: absolute, and taken as it is. */
  readonly program?: string;
  /** How long each of the two trials may take; 5,000 by default. */
  readonly milliseconds?: number;
}

/** Without these nothing holds: handles instead of names, bounds, and an end that can be told. */
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
 * Finds out by trying whether a program can be confined here. Never throws, and never settles for less: what
 * cannot be shown to work is `none`.
 *
 * Linux alone, with bubblewrap 0.10 or one to which its handles were ported back (Debian 12 and Ubuntu 22.04
 * have it).
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

/** Distributions switch off what an ordinary user needs for it. */
function whyNot(stderr: string): string {
  const [line = ''] = stderr.split('\n', 1);
  const said = line.slice(0, 200) || 'it ended without a word';
  return `bubblewrap cannot make a sandbox here (${said}); user namespaces may be switched off`;
}

/** A sandbox as it will be used, with nothing to do in it. */
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

/** Masks can only lie over what is there. */
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
  const said = { stdout: '', stderr: '' };
  const status = openSync('/dev/null', 'w');
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe', ...handles, status] as const;
    const child = spawn(program, args, {
      stdio: [...stdio],
      env: {},
      timeout: milliseconds,
      killSignal: 'SIGKILL',
    });
    const end = (): void => resolve(said);
    child.stdout?.on('data', (chunk: Buffer) => (said.stdout += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk.toString('utf8')));
    child.once('error', end).once('close', end);
  }).finally(() => closeSync(status)) as Promise<TrialOutput>;
}
