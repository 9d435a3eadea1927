import { execFile } from 'node:child_process';
import type { CliResult } from './run-in-memory.ts';
import type { OwnHome } from './own-home.ts';
import { program } from './program.ts';

/** What a command of this person finds in its environment, and nothing of the person who runs the tests. */
export function environmentOf({ tree, env }: Pick<OwnHome, 'tree' | 'env'>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: tree.at('home'), ...env };
}

/** Runs `rootward roots …` as a process of its own. */
export function runCommand(home: OwnHome, ...argv: readonly string[]): Promise<CliResult> {
  return runShipped(home, 'roots', ...argv);
}

/** Runs any command line as a process of its own. */
export function runShipped(home: OwnHome, ...argv: readonly string[]): Promise<CliResult> {
  const options = { cwd: home.at(), env: environmentOf(home), timeout: 30_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...argv], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ stdout, stderr, code });
    });
  });
}
