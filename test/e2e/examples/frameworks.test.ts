import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { codeBlocks } from '../../support/docs/markdown.ts';
import { connectClient } from '../../support/http/clients.ts';
import { freePort } from '../../support/redis/redis-server.ts';
import type { OwnCommand } from '../../support/processes/command.ts';
import { speakTo } from '../../support/processes/speak.ts';

const top = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guides/add-rootward-to-your-server.md', top), 'utf8');
const hooks = new URL('test/support/processes/resolve-rootward.mjs', top).href;

/** The program of the guide that uses a framework, started where its package is found. */
function commandOf(framework: string, transport: 'stdio' | 'http' = 'stdio'): OwnCommand {
  const programs = codeBlocks(guide).filter(({ code }) => code.includes(`from '${framework}'`));
  const program = programs.find(({ code }) => code.includes('httpStream') === (transport === 'http'));
  const home = tempTree();
  return {
    command: process.execPath,
    args: ['--import', hooks, '--input-type=module', '--eval', program?.code ?? ''],
    cwd: fileURLToPath(top),
    env: { PATH: process.env['PATH'] ?? '', HOME: home.path },
    home: home.path,
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

/** Each framework puts its own words around a text. */
const saying = (text: string): unknown => expect.stringContaining(text);

describe.each(['fastmcp', 'mcp-framework'])('the recipe for %s', (framework) => {
  test('reads in the roots of the client, follows their change, and leaves none of them', async () => {
    using tree = tempTree(['app/README.md = # App', 'lib/README.md = # Library', 'way/README.md => ../app']);
    const uris = ['app', 'lib', 'way'].map((name) => `file://${tree.at(name)}`);
    await using server = await speakTo(commandOf(framework), {
      client: difficultClients.cooperative,
      roots: uris.slice(0, 1),
    });
    expect(await server.call('readme')).toMatchObject({ refused: false, text: saying('# App') });
    await server.change(...uris.slice(1, 2));
    expect(await server.call('readme')).toMatchObject({ refused: false, text: saying('# Library') });
    await server.change(...uris.slice(2));
    const text = saying('Cannot reach "README.md": it is outside the roots');
    expect(await server.call('readme')).toMatchObject({ refused: true, text });
    expect(server.wire.noise).toEqual([]);
  });
});

test('the recipe for fastmcp over HTTP keeps every session in the ceiling, whatever its client lists', async () => {
  using tree = tempTree(['app/README.md = # App', 'lib/README.md = # Library']);
  using command = commandOf('fastmcp', 'http');
  const port = String(await freePort());
  const env = { ...command.env, PORT: port, PROJECT: tree.at('app') };
  const server = spawn(command.command, command.args, { cwd: command.cwd, env });
  try {
    await once(server.stdout, 'data', { signal: AbortSignal.timeout(20_000) });
    const url = `http://localhost:${port}/mcp`;
    const roots = () => [{ uri: `file://${tree.at('lib')}` }];
    await using one = await connectClient('v2 in 2025', { url, roots });
    await using two = await connectClient('v1', { url, roots });
    expect(one.sessionId()).not.toBe(two.sessionId());
    for (const client of [one, two, one]) expect(await client.call('readme')).toBe('# App');
    rmSync(tree.at('app/README.md'));
    symlinkSync('../lib/README.md', tree.at('app/README.md'));
    await expect(two.call('readme')).rejects.toThrow('it is outside the roots');
    expect([one.asked(), two.asked()]).toEqual([0, 0]);
  } finally {
    server.kill();
  }
});
