import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { openOwnDirectory } from '../../../src/config/own-directory.ts';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import { answerQuestion } from '../../../src/web/processes/answer-question.ts';
import { findRunning } from '../../../src/web/processes/find-running.ts';
import { announce } from '../../../src/web/processes/running.ts';
import type { AskedQuestion, ConsentChoice } from '../../../src/web/wire/wire.ts';
import { program } from '../../support/processes/program.ts';

const token = 't'.repeat(43);

/** A real server over HTTP that asks before it writes. */
async function startOverHttp(tree: TempTree): Promise<{ readonly url: URL } & AsyncDisposable> {
  const env = { PATH: process.env['PATH'] ?? '', ROOTWARD_HOME: tree.at('home'), ROOTWARD_TOKEN: token };
  const args = ['serve', '--http', ':0', tree.at('shop'), '--config', tree.at('serve.jsonc')];
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 15_000 }).toContain('listening on');
  return {
    url: new URL(/listening on (\S+)/.exec(said)?.[1] ?? ''),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function connect(url: URL) {
  const client = new Client({ name: 'Editor', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(url, { requestInit });
  await client.connect(transport);
  const write = async (path: string): Promise<boolean> => {
    const { isError } = await client.callTool({ name: 'write_file', arguments: { path, content: 'x' } });
    return isError !== true;
  };
  return { write, transport, [Symbol.asyncDispose]: () => client.close() };
}

async function nextQuestion(state: Boundary): Promise<{ process: string; question: AskedQuestion }> {
  const find = async () =>
    (await findRunning(state)).flatMap(({ id, questions }) =>
      questions.map((question) => ({ process: id, question })),
    );
  await expect.poll(find, { timeout: 20_000 }).toHaveLength(1);
  const [found] = await find();
  if (found === undefined) throw new Error('there is no question');
  return found;
}

async function answerNext(state: Boundary, answer: ConsentChoice): Promise<AskedQuestion> {
  const { process: id, question } = await nextQuestion(state);
  await answerQuestion(state, { process: id, question: question.id }, answer);
  const isOver = async () => (await findRunning(state)).every(({ questions }) => questions.length === 0);
  await expect.poll(isOver).toBe(true);
  return question;
}

test('a yes for the session is one for that session, and the client is gone from the page when it ends', async () => {
  using tree = tempTree([
    'home/',
    'shop/package.json = {}',
    'serve.jsonc = { "policy": { "preset": "ask-before-write" } }',
  ]);
  const said = { command: 'web', version: '1', directory: '/', pages: 1, connections: [] } as const;
  await using page = await announce(tree.at('home/state'), said);
  await using state = await openOwnDirectory(tree.at('home/state'));
  await using server = await startOverHttp(tree);
  const file = tree.at('shop/a.txt');
  const clients = async () => (await findRunning(state)).flatMap(({ connections }) => connections);
  await using first = await connect(server.url);
  const asked = first.write(file);
  const question = await answerNext(state, 'session');
  expect(await asked).toBe(true);
  expect(question).toMatchObject({ who: 'Editor', session: true, follows: false, places: [tree.at('shop')] });
  expect((await clients()).map(({ id }) => id)).toContain(question.connection);
  expect(await page.findPage()).toBe('visible');
  expect(await first.write(file)).toBe(true);
  await using second = await connect(server.url);
  const other = second.write(file);
  await answerNext(state, 'never');
  expect(await other).toBe(false);
  expect(await first.write(file)).toBe(true);
  await expect.poll(async () => (await clients()).length).toBe(2);
  await first.transport.terminateSession();
  await expect.poll(async () => (await clients()).length).toBe(1);
  expect((await clients()).map(({ id }) => id)).not.toContain(question.connection);
});
