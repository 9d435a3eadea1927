import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openOwnDirectory } from '../../config/own-directory.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRunning } from '../../web/processes/find-running.ts';
import { findOpener, openInBrowser, webOptionsFor } from './run-web.ts';
import { program } from '../../../test/support/processes/program.ts';

async function start(home: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ROOTWARD_HOME: home };
  const child = spawn(process.execPath, [program, 'web', '--no-open', ...args], { cwd: home, env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = once(child, 'exit');
  return { child, exit, out: () => out, err: () => err };
}

test('prints one link that opens the page, and ends on a signal', async () => {
  using home = tempTree();
  const { child, exit, out, err } = await start(home.path);
  const form = /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/#[\w-]{43}\n$/;
  await expect.poll(out, { timeout: 15_000 }).toMatch(form);
  const { origin, hash, pathname } = new URL(out().trim());
  expect(await (await fetch(`${origin}${pathname}`)).text()).toContain('<div id="page">');
  const body = JSON.stringify({ token: hash.slice(1) });
  const headers = { 'content-type': 'application/json' };
  const entered = await fetch(`${origin}${pathname}api/session`, { method: 'POST', body, headers });
  expect([entered.status, entered.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringContaining('HttpOnly'),
  ]);
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(err()).toContain('once');
});

test('starts an MCP server next to the page, which ends with it', async () => {
  using home = tempTree();
  const { child, exit, err } = await start(home.path, '--serve');
  await expect.poll(err, { timeout: 20_000 }).toContain('listening on http://127.0.0.1:');
  const url = /listening on (\S+)/.exec(err())?.[1] ?? '';
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  await expect(fetch(url, { method: 'POST' })).rejects.toThrow();
});

test('the page shows how to connect to the server, but not the token', async () => {
  using home = tempTree();
  const { child, exit, out, err } = await start(home.path, '--serve');
  await expect.poll(err, { timeout: 20_000 }).toContain('listening on http://127.0.0.1:');
  const token = /bearer token, shown once: (\S+)/.exec(err())?.[1] ?? '';
  const { origin, hash, pathname } = new URL(out().trim());
  const post = (path: string, body: object, headers: object = {}): Promise<Response> =>
    fetch(`${origin}${pathname}api/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const entered = await post('session', { token: hash.slice(1) });
  const { proof } = (await entered.json()) as { proof: string };
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await post('connect', {}, { cookie })).status).toBe(401);
  const told = await (await post('connect', {}, { cookie, 'x-rootward-proof': proof })).text();
  expect(token).toHaveLength(43);
  expect(told).not.toContain(token);
  const { url, tokenIs } = JSON.parse(told) as Record<'url' | 'tokenIs', string>;
  expect(tokenIs).toContain('in the terminal');
  const call = (bearer: string): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { authorization: `Bearer ${bearer}` } });
  expect((await call('TOKEN'.repeat(9))).status).toBe(401);
  expect((await call(token)).status).not.toBe(401);
  child.kill('SIGINT');
  await exit;
});

test('the page ends with its server, and says so', async () => {
  using home = tempTree();
  const { exit, err } = await start(home.path, '--serve');
  await expect.poll(err, { timeout: 20_000 }).toContain('listening on http://127.0.0.1:');
  await using state = await openOwnDirectory(home.at('state'));
  const findServer = async () => (await findRunning(state)).find(({ command }) => command === 'serve');
  await expect.poll(findServer, { timeout: 20_000 }).toBeDefined();
  process.kill((await findServer())?.pid ?? 0, 'SIGKILL');
  expect(await exit).toEqual([0, null]);
  expect(err()).toContain('ended, because the server beside it has ended');
});

describe('the options of the page', () => {
  const silent = { write: () => {} };
  const context: CliContext = {
    process: { stdout: silent, stderr: silent, env: { HOME: '/home/me', ROOTWARD_HOME: '/r' } },
    cwd: '/here',
  };

  test('with a server it ends on a signal, and otherwise when it is idle', () => {
    expect(webOptionsFor(context, { serve: true }, []).idleMs).toBe(Infinity);
    expect(webOptionsFor(context, { serve: false }, []).idleMs).toBeUndefined();
  });

  test('directories limit browsing and adding, and appear in the command to start it again', () => {
    const options = webOptionsFor(context, { serve: true, port: 7 }, ['/work/my code', '/x']);
    expect(options).toMatchObject({ bounded: true, tops: ['/work/my code', '/x'], port: 7 });
    const quoted = process.platform === 'win32' ? '"/work/my code"' : "'/work/my code'";
    expect(options.again?.(7331)).toBe(`rootward web --port 7331 --serve ${quoted} /x`);
    const free = webOptionsFor(context, { serve: false }, []);
    expect(free).toMatchObject({ bounded: false, tops: ['/home/me', '/here'] });
    expect(free.again?.(7331)).toBe('rootward web --port 7331');
  });
});

test('reports a port in use in one line', async () => {
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

test('opens the browser by an absolute path on each platform, and never without a display', () => {
  expect(findOpener('darwin', {}).opener?.command).toBe('/usr/bin/open');
  expect(findOpener('win32', { SystemRoot: 'D:\\W' }).opener?.command).toBe('D:\\W\\System32\\rundll32.exe');
  expect(findOpener('linux', { DISPLAY: '' })).toEqual({ opener: undefined, notices: [] });
});

test.runIf(process.platform === 'linux')(
  'one that lies in a project is not started, and that is said',
  () => {
    using tree = tempTree(['.venv/bin/xdg-open']);
    chmodSync(tree.at('.venv/bin/xdg-open'), 0o755);
    const found = findOpener('linux', { DISPLAY: ':0', PATH: tree.at('.venv/bin') });
    expect(found.opener).toBeUndefined();
    expect(found.notices).toEqual([
      expect.stringContaining(`"${tree.at('.venv/bin/xdg-open')}" is not used: `),
      'xdg-open, which opens browsers, is not installed',
    ]);
  },
);

test.runIf(process.platform === 'linux')(
  'it gets one argument, whatever is in it, and nothing of ours',
  async () => {
    using tree = tempTree();
    const command = tree.at('opener');
    const script = `printf '%s\\n' "$#" "$1" "$ROOTWARD_TOKEN" "$PATH" > ${tree.at('seen')}`;
    writeFileSync(command, `#!/bin/sh\n${script}\n`);
    chmodSync(command, 0o755);
    const url = 'file:///home/a$(touch evil);`x` b.html';
    const environment = { PATH: `${tree.path}:/usr/bin::bin`, ROOTWARD_TOKEN: 'secret' };
    expect(await openInBrowser({ command, args: [] }, url, environment)).toBe(true);
    expect(readFileSync(tree.at('seen'), 'utf8')).toBe(`1\n${url}\n\n/usr/bin\n`);
    expect(existsSync(tree.at('evil'))).toBe(false);
  },
);

test.runIf(process.platform === 'linux')('reports a browser that fails or is missing', async () => {
  expect(await openInBrowser({ command: '/nowhere/opener', args: [] }, 'file:///x', {})).toBe(false);
  expect(await openInBrowser({ command: '/bin/false', args: [] }, 'file:///x', {})).toBe(false);
});
