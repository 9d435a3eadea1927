import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { program } from '../../test/support/processes/program.ts';

test('runs as a program, with its output on stdout and the verdict in the exit code', async () => {
  using tree = tempTree(['app/a.ts']);
  const run = promisify(execFile);
  const options = { cwd: tree.at('app') };
  const { stdout } = await run(
    process.execPath,
    [program, 'check', 'read', 'a.ts', '--json', '--root', '.'],
    options,
  );
  expect(JSON.parse(stdout)).toMatchObject({ allowed: true, place: 'a.ts' });
  const refused = run(process.execPath, [program, 'check', 'read', '../x', '--root', '.'], options);
  await expect(refused).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('outside') });
});
