import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { limitedProgram } from './limited-program.ts';

function run(...command: readonly string[]): { stdout: string; stderr: string; status: number | null } {
  const [file = '', ...args] = command;
  return spawnSync(file, args, { encoding: 'utf8' });
}

test.runIf(process.platform === 'linux')(
  'the program runs with the limits, and with its arguments as they are',
  () => {
    const limits = { memory: 512 * 1024 * 1024, processes: 77 };
    const inside = limitedProgram(
      'bash',
      ['-c', 'ulimit -d; ulimit -u; ulimit -c; printf %s "$1"', 'x', `a "b" $c`],
      limits,
    );
    expect(run(...inside).stdout).toBe('524288\n77\n0\na "b" $c');
  },
);

test.runIf(process.platform === 'linux')('a limit that is lower already is no failure', () => {
  const inside = limitedProgram('bash', ['-c', 'ulimit -d'], { memory: 8_388_608, processes: 10 });
  const { stdout } = run('bash', '-c', 'ulimit -d 4096; exec "$@"', 'x', ...inside);
  // Whether it may be raised again depends on the user.
  expect(['4096\n', '8192\n']).toContain(stdout);
});
