import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { codeBlocks } from '../../support/docs/markdown.ts';
import type { OwnCommand } from '../../support/processes/command.ts';
import { speakTo } from '../../support/processes/speak.ts';

const top = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guides/add-rootward-to-your-server.md', top), 'utf8');
const hooks = new URL('test/support/processes/resolve-rootward.mjs', top).href;

/** The program of the guide that uses a framework, started where its package is found. */
function commandOf(framework: string): OwnCommand {
  const program = codeBlocks(guide).find(({ code }) => code.includes(`from '${framework}'`));
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
