import { runCli } from '../../../src/cli/run-cli.ts';

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs a command line in this process, with an environment of its own. */
export async function runInMemory(
  cwd: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const output = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write(text: string): void {
      output[name] += text;
    },
  });
  const process = { stdout: stream('stdout'), stderr: stream('stderr'), env };
  const code = await runCli(argv, { process, cwd, isTerminal: true });
  return { ...output, code };
}
