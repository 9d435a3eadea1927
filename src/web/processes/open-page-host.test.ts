import { expect, test } from 'vitest';
import { identifyServer } from '../../client/expose/server-identity.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { answerQuestion } from './answer-question.ts';
import { findRunning } from './find-running.ts';
import { openPageHost } from './open-page-host.ts';
import { announce } from './running.ts';

const server = identifyServer({ name: 'files', url: 'http://127.0.0.1:1/mcp' });

function asked(path: string) {
  const root = { name: 'app', path, uri: toFileUri(path), kind: 'directory' } as const;
  const roots = [{ ...root, permissions: {}, servers: {}, grants: [] }];
  return { server, roots, signal: AbortSignal.timeout(30_000) };
}

test('a host asks on the page which roots a server may see', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  await using web = await announce(tree.at('state'), {
    command: 'web',
    version: '1',
    directory: '/',
    pages: 1,
    connections: [],
  });
  await using host = await openPageHost({ version: '1', state: tree.at('state') });
  const answered = host.ask(asked(tree.path));
  const find = async () => (await findRunning(state)).find(({ command }) => command === 'host');
  await expect
    .poll(async () => (await find())?.questions)
    .toMatchObject([{ kind: 'exposure', who: 'files', roots: ['app'], places: [tree.path] }]);
  const { id = '', questions = [] } = (await find()) ?? {};
  await answerQuestion(state, { process: id, question: questions[0]?.id ?? '' }, 'always');
  expect(await answered).toBe('always');
  expect(web.id).toMatch(/^web-/);
});

test('without a page it falls back to `otherwise`, and without that it refuses', async () => {
  using tree = tempTree();
  const options = { version: '1', state: tree.at('state') };
  await using host = await openPageHost({ ...options, otherwise: () => 'session' });
  expect(await host.ask(asked(tree.path))).toBe('session');
  await using alone = await openPageHost(options);
  expect(await alone.ask(asked(tree.path))).toBeUndefined();
});
