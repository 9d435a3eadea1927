import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { startBeside } from './start-beside.ts';

test('passes on its output, and ends with its parent', async () => {
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
  await expect.poll(() => told, { timeout: 20_000 }).toContain('serve --http :0 --store up\n');
  await beside.close();
  await beside.ended;
});

test('the page can show how to connect once the server listens', async () => {
  const program =
    'process.stderr.write("listening on http://127.0.0.1:1/mcp with " + process.env.ROOTWARD_TOKEN + "\\n"); setInterval(() => {}, 1000);';
  using tree = tempTree([`program.mjs = ${program}`]);
  let told = '';
  const stderr = { write: (text: string) => void (told += text) };
  const context: CliContext = { process: { stdout: stderr, stderr, env: {} }, cwd: tree.path };
  const beside = startBeside(context, tree.at('program.mjs'));
  expect(beside.connect()).toBeUndefined();
  await expect.poll(() => beside.connect(), { timeout: 20_000 }).toBeDefined();
  const token = /with (\S{43})/.exec(told)?.[1] ?? '';
  expect(told).toContain(`bearer token, shown once: ${token}\n`);
  const { url, tokenIs, config } = beside.connect() ?? { url: '', tokenIs: '', config: '{}' };
  expect(url).toBe('http://127.0.0.1:1/mcp');
  expect(tokenIs).toContain('in the terminal');
  expect(JSON.parse(config)).toEqual({
    mcpServers: { rootward: { type: 'http', url, headers: { Authorization: 'Bearer TOKEN' } } },
  });
  await beside.close();
});
