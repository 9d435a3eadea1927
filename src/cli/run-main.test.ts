import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { program } from '../../test/support/processes/program.ts';

test('ends quietly when its reader closes the pipe', async () => {
  using tree = tempTree(Array.from({ length: 400 }, (_, index) => `p${index}/go.mod = module x/m${index}`));
  const line = `"${process.execPath}" "${program}" find --json | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line], { cwd: tree.path });
  expect(stdout).toMatch(/^\{.*\}\n0\n$/);
  expect(stderr).toBe('');
});
