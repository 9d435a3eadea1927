import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a program beside this file reports about itself, as JSON. It gets a process of its own. */
export async function runProgram(name: string, ...options: readonly string[]): Promise<unknown> {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const argv = ['--expose-gc', program, ...options];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 50_000 });
  return JSON.parse(stdout);
}
