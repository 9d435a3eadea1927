import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openEndpoint, token } from '../../test/http/open-endpoint.ts';
import { initialize } from '../../test/http/raw.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';

function privateTree(entries: readonly string[] = []): TempTree {
  const tree = tempTree(entries);
  chmodSync(tree.path, 0o700);
  return tree;
}

async function statusOf(socketPath: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const usual = {
    host: 'localhost',
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const outgoing = request({ socketPath, path: '/mcp', method: 'POST', headers: { ...usual, ...headers } });
  outgoing.end(JSON.stringify(initialize));
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

describe.skipIf(process.platform === 'win32')('a socket in the file system', () => {
  test('is served like a port, with the same checks, and gone at the end', async () => {
    using tree = privateTree();
    const socket = tree.at('mcp.sock');
    const endpoint = await openEndpoint({ socket });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(await statusOf(socket)).toBe(200);
    expect(await statusOf(socket, { authorization: 'Bearer x' })).toBe(401);
    expect(await statusOf(socket, { host: 'evil.example' })).toBe(403);
    await endpoint.close();
    expect(existsSync(socket)).toBe(false);
  });

  test('that a killed process left behind is replaced', async () => {
    using tree = privateTree();
    const socket = tree.at('mcp.sock');
    const leave = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    expect(existsSync(socket)).toBe(true);
    await using endpoint = await openEndpoint({ socket });
    expect(endpoint.url).toBe('http://localhost/mcp');
    expect(await statusOf(socket)).toBe(200);
  });

  test('on which somebody listens is not', async () => {
    using tree = privateTree();
    const socket = tree.at('mcp.sock');
    await using endpoint = await openEndpoint({ socket });
    await expect(openEndpoint({ socket })).rejects.toThrow('something else listens there');
    expect(await statusOf(socket)).toBe(200);
    expect(endpoint.kinds()).toEqual(['session-begun']);
  });

  test('does not take the place of a file', async () => {
    using tree = privateTree(['mcp.sock = mine']);
    await expect(openEndpoint({ socket: tree.at('mcp.sock') })).rejects.toThrow('something is there');
  });

  test.each([0o770, 0o707, 0o1777])('is refused where others can write: %o', async (mode) => {
    using tree = privateTree();
    chmodSync(tree.path, mode);
    const opening = openEndpoint({ socket: tree.at('mcp.sock') });
    await expect(opening).rejects.toMatchObject({ code: 'CANNOT_LISTEN' });
    await expect(opening).rejects.toThrow(`others can write to "${tree.path}"`);
    expect(existsSync(tree.at('mcp.sock'))).toBe(false);
  });

  test('is refused in a directory that is not there', async () => {
    using tree = privateTree();
    await expect(openEndpoint({ socket: tree.at('no/mcp.sock') })).rejects.toMatchObject({
      code: 'CANNOT_LISTEN',
    });
  });
});
