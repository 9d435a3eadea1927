import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { openBoundary } from '../../../src/boundary/open-boundary.ts';
import type { ConfinedEnd, ConfinedOptions } from '../../../src/boundary/process/confined-run.ts';
import { type FoundBubblewrap, probeConfinement } from '../../../src/boundary/process/confinement.ts';
import type { RunLimits } from '../../../src/boundary/process/supervise.ts';
import type { Guard } from '../../../src/boundary/step/context.ts';

export const mebibyte = 1_048_576;

export const limits: RunLimits = {
  milliseconds: 15_000,
  kept: 65_536,
  output: 16 * mebibyte,
  memory: 512 * mebibyte,
  processes: 64,
};

async function confinement(): Promise<FoundBubblewrap> {
  const found = await probeConfinement();
  if (found.kind === 'none') throw new Error(`These tests need bubblewrap: ${found.reason}`);
  return found;
}

interface Attempt extends Partial<Omit<ConfinedOptions, 'confinement' | 'limits'>> {
  readonly guard?: Guard;
  readonly cwd?: string;
  readonly limits?: Partial<ConfinedOptions['limits']>;
}

/** A command line for a sandbox. */
export async function confined(command: string, attempt: Attempt = {}): Promise<ConfinedOptions> {
  const { guard: _guard, cwd: _cwd, ...more } = attempt;
  return {
    confinement: await confinement(),
    command,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp' },
    network: false,
    temporary: 16 * mebibyte,
    ...more,
    limits: { ...limits, ...attempt.limits },
  };
}

/** The command line in a sandbox on a tree. */
export async function run(path: string, command: string, attempt: Attempt = {}): Promise<ConfinedEnd> {
  const { guard, cwd = '.' } = attempt;
  await using boundary = await openBoundary(path, guard === undefined ? {} : { guard });
  return await boundary.runConfined(cwd, await confined(command, attempt));
}

/** The same command line without a sandbox: what the attack does where nothing confines it. */
export function plain(path: string, command: string): string {
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: path, encoding: 'utf8' });
  return stdout + stderr;
}

/** Who sleeps for so long: only what a test started. */
export function survivors(seconds: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid) === `sleep\0${seconds}\0`);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Refuses operations on names, as the rules of a policy do. */
export function refusing(names: Readonly<Record<string, readonly string[]>>): Guard {
  return (operation, relative) =>
    Object.entries(names).some(
      ([operations, paths]) => operations.split(' ').includes(operation) && paths.includes(relative),
    )
      ? new Error(`no ${operation} on ${relative}`)
      : undefined;
}
