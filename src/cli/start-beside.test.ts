import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import type { CliContext } from './command-context.ts';
import { startBeside } from './start-beside.ts';

test('what it says is passed on, and it ends with whoever started it', async () => {
  using tree = tempTree([
    'program.mjs = process.stderr.write(process.argv.slice(2).join(" ") + " up\\n"); setInterval(() => {}, 1000);',
  ]);
  let told = '';
  const silent = { write: () => {} };
  const context: CliContext = {
    process: { stdout: silent, stderr: { write: (text: string) => void (told += text) }, env: { PATH: '' } },
    cwd: tree.path,
  };
  const beside = startBeside(context, tree.at('program.mjs'));
  await expect.poll(() => told, { timeout: 10_000 }).toBe('serve --http :0 --store up\n');
  await beside.close();
  await beside.ended;
});
