import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';

const program = fileURLToPath(new URL('../../.build/src/cli/main.js', import.meta.url));

async function start(home: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ROOTWARD_HOME: home };
  const child = spawn(process.execPath, [program, 'web', '--no-open', ...args], { cwd: home, env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = once(child, 'exit');
  return { child, exit, out: () => out, err: () => err };
}

test('prints one link that opens the page, and ends when it is told to', async () => {
  using home = tempTree();
  const { child, exit, out, err } = await start(home.path);
  await expect.poll(out, { timeout: 15_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\n$/);
  const { origin, hash } = new URL(out().trim());
  expect(await (await fetch(origin)).text()).toContain('<div id="page">');
  const body = JSON.stringify({ token: hash.slice(1) });
  const headers = { 'content-type': 'application/json' };
  const entered = await fetch(`${origin}/api/session`, { method: 'POST', body, headers });
  expect([entered.status, entered.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringContaining('HttpOnly'),
  ]);
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(err()).toContain('once');
});

test('starts a server beside it, which ends with it', async () => {
  using home = tempTree();
  const { child, exit, err } = await start(home.path, '--serve');
  await expect.poll(err, { timeout: 20_000 }).toContain('listening on http://127.0.0.1:');
  const url = /listening on (\S+)/.exec(err())?.[1] ?? '';
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  await expect(fetch(url, { method: 'POST' })).rejects.toThrow();
});

test('a port that is taken is said in one line', async () => {
  using home = tempTree();
  const first = await start(home.path);
  await expect.poll(first.out, { timeout: 15_000 }).toContain('http');
  const { port } = new URL(first.out().trim());
  const second = await start(home.path, '--port', port);
  expect(await second.exit).toEqual([3, null]);
  expect(second.err()).toContain('something else listens there');
  first.child.kill('SIGTERM');
  await first.exit;
});
