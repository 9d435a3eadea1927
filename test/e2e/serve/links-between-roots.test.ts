import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { difficultClients, type TempTree, tempTree } from '../../../src/testing/index.ts';
import { linkDifferences } from '../../support/peers/contract-differences.ts';
import { type OwnCommand, referenceCommand, serveCommand } from '../../support/processes/command.ts';
import { type Answer, speakTo, type Spoken } from '../../support/processes/speak.ts';

interface Side {
  readonly files: TempTree;
  readonly server: Spoken;
}

let theirs: Side;
let ours: Side;

/** Two directories, and links from the one to the other. */
async function serve(commandFor: (...directories: readonly string[]) => OwnCommand): Promise<Side> {
  const files = tempTree([
    'one/own.txt = own',
    'one/relative.txt => ../two/a.txt',
    'one/absolute.txt => $TREE/two/a.txt',
    'one/linked => ../two',
    'two/a.txt = other',
  ]);
  const command = commandFor(files.at('one'), files.at('two'));
  const server = await speakTo(command, { client: difficultClients.undeclared, roots: [] });
  return { files, server };
}

beforeAll(async () => {
  [theirs, ours] = await Promise.all([serve(referenceCommand), serve((...args) => serveCommand({ args }))]);
});

afterAll(async () => {
  for (const { files, server } of [theirs, ours]) {
    await server[Symbol.asyncDispose]();
    files[Symbol.dispose]();
  }
});

function ask({ files, server }: Side, tool: string, input: object): Promise<Answer> {
  const placed = JSON.parse(JSON.stringify(input).replaceAll('$TREE', files.path)) as Record<string, unknown>;
  return server.call(tool, placed);
}

test.each(Object.entries(linkDifferences))('%s: followed there, refused here', async (_title, difference) => {
  const { tool, input, reached } = difference;
  const followed = await ask(theirs, tool, input);
  expect(followed).toMatchObject({ refused: false, text: expect.stringContaining(reached) as unknown });
  expect(await ask(ours, tool, input)).toMatchObject({ refused: true, code: 'OUTSIDE_ROOTS' });
  expect(readdirSync(ours.files.at('two'))).toEqual(['a.txt']);
});

test('the target of a link is reached by its own path, and a listing shows the link', async () => {
  expect(await ask(ours, 'read_text_file', { path: '$TREE/two/a.txt' })).toMatchObject({ text: 'other' });
  const { text } = await ask(ours, 'list_directory', { path: '$TREE/one' });
  for (const name of ['relative.txt', 'absolute.txt', 'linked', 'own.txt']) expect(text).toContain(name);
});
