import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that some tests need, and the Debian package that has them. */
export const systemPrograms = {
  bwrap: 'bubblewrap',
  'redis-server': 'redis-server',
  chromium: 'chromium',
  'ntfs-3g': 'ntfs-3g',
  setfattr: 'attr',
  fusefat: 'fusefat',
  'mkfs.vfat': 'dosfstools',
} as const;

export type SystemProgram = keyof typeof systemPrograms;

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Installs what is missing, where that can be done: Debian, as root. Elsewhere those tests say what is missing. */
export function installPrograms(): void {
  const missing = Object.entries(systemPrograms).filter(([program]) => !hasProgram(program));
  const isRoot = process.getuid?.() === 0;
  if (missing.length === 0 || !isRoot || !hasProgram('apt-get')) return;
  const packages = missing.map(([, name]) => name);
  process.stderr.write(`Installing ${packages.join(', ')} for the tests\n`);
  if (!aptGet('install', '--no-install-recommends', ...packages) && aptGet('update'))
    aptGet('install', '--no-install-recommends', ...packages);
}

function aptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-y', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/**
 * Whether tests that need a program run. Where it is missing they are skipped, and their title says why; CI has
 * everything, so there they run and fail.
 */
export function canRun(program: SystemProgram): boolean {
  return hasProgram(program) || process.env['CI'] === 'true';
}

/** What a skipped test tells. */
export function needs(program: SystemProgram): string {
  return canRun(program) ? '' : ` (skipped: install ${systemPrograms[program]})`;
}
