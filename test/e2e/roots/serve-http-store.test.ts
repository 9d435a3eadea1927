import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../support/processes/own-home.ts';
import { program } from '../../support/processes/program.ts';
import { environmentOf } from '../../support/processes/run-command.ts';

interface Served extends AsyncDisposable {
  /** Whether a file can be read over HTTP, by a client without roots. */
  reads(path: string): Promise<boolean>;
}

async function serve(home: OwnHome, ...flags: readonly string[]): Promise<Served> {
  const token = 'a-token-for-this-test-alone-1234567890';
  const child = spawn(process.execPath, [program, 'serve', '--http', ':0', ...flags], {
    cwd: home.at(),
    env: { ...environmentOf(home), ROOTWARD_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (data: Buffer) => void (said += data.toString()));
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/listening on http\S+/);
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const url = new URL(/http\S+/.exec(said)?.[0] ?? '');
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    async reads(path) {
      return (await client.callTool({ name: 'read_text_file', arguments: { path } })).isError !== true;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      child.kill('SIGTERM');
      await exit;
    },
  };
}

test('over HTTP the store is followed by --store, from call to call', { timeout: 60_000 }, async () => {
  using home = ownHome();
  await using server = await serve(home, '--store');
  const path = home.at('app', 'a.txt');
  expect(await server.reads(path)).toBe(false);
  await home.run('add', 'app');
  expect(await server.reads(path)).toBe(true);
  await home.run('remove', 'app');
  expect(await server.reads(path)).toBe(false);
});

test('over HTTP the store is not used unless --store is given', { timeout: 60_000 }, async () => {
  using home = ownHome();
  await home.run('add', 'app');
  await using server = await serve(home);
  expect(await server.reads(home.at('app', 'a.txt'))).toBe(false);
});
