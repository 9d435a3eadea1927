import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { answerQuestion } from './answer-question.ts';
import { findRunning } from './find-running.ts';
import { announce, type ProcessFacts } from './running.ts';

const said: ProcessFacts = { command: 'serve', version: '1.0.0', directory: '/app', connections: [] };
const built = fileURLToPath(new URL('../../../.build/src/web/processes/running.js', import.meta.url));

const question = {
  kind: 'access',
  who: 'editor',
  operation: 'write',
  path: 'a.txt',
  roots: ['app'],
  places: ['/work/app'],
  session: true,
  follows: false,
  reason: 'it asks',
  until: '2030-01-01T00:00:00.000Z',
} as const;

test('a process is found while it runs, updates its announcement, and leaves nothing behind', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  const announcement = await announce(tree.at('state'), said);
  expect(await findRunning(state)).toMatchObject([{ ...said, pid: process.pid, questions: [] }]);
  expect(await announcement.findPage()).toBeUndefined();
  announcement.update({ pages: 0, hidden: 1 });
  await expect.poll(() => announcement.findPage()).toBe('hidden');
  announcement.update({ pages: 2 });
  await expect.poll(() => findRunning(state)).toMatchObject([{ pages: 2 }]);
  expect(await announcement.findPage()).toBe('visible');
  await announcement.close();
  expect(readdirSync(tree.at('state'))).toEqual([]);
});

test('only its owner can read an announcement', async () => {
  using tree = tempTree();
  await using announcement = await announce(tree.at('state'), said);
  expect(statSync(tree.at('state')).mode & 0o077).toBe(0);
  expect(statSync(tree.at('state', `${announcement.id}.json`)).mode & 0o077).toBe(0);
});

test('recognises a killed process and removes its files', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  const script = `
    import { announce } from ${JSON.stringify(built)};
    await announce(${JSON.stringify(tree.at('state'))}, ${JSON.stringify(said)});
    process.stdout.write('up');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  expect(await findRunning(state)).toMatchObject([{ pid: child.pid }]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await findRunning(state)).toEqual([]);
  expect(readdirSync(tree.at('state'))).toEqual([]);
});

test('a question waits for its answer, and the first one counts', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  await using announcement = await announce(tree.at('state'), said);
  const answered = announcement.ask(question, AbortSignal.timeout(30_000));
  await expect.poll(async () => (await findRunning(state))[0]?.questions).toHaveLength(1);
  const id = (await findRunning(state))[0]?.questions[0]?.id ?? '';
  await answerQuestion(state, { process: announcement.id, question: id }, 'once');
  expect(await answered).toEqual({ answer: 'once', kept: false });
  await expect.poll(async () => (await findRunning(state))[0]?.questions).toEqual([]);
  expect(readdirSync(tree.at('state')).filter((name) => /\.(answer|taken)$/.test(name))).toEqual([]);
});

test('a question without an answer ends and is removed', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  await using announcement = await announce(tree.at('state'), said);
  expect(await announcement.ask(question, AbortSignal.timeout(50))).toBeUndefined();
  await expect.poll(async () => (await findRunning(state))[0]?.questions).toEqual([]);
});

test('closing does not wait for answers', async () => {
  using tree = tempTree();
  const announcement = await announce(tree.at('state'), said);
  const answered = announcement.ask(question, AbortSignal.timeout(30_000));
  await announcement.close();
  expect(await answered).toBeUndefined();
  expect(existsSync(tree.at('state', `${announcement.id}.json`))).toBe(false);
});

test('an invalid answer is a refusal', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  await using announcement = await announce(tree.at('state'), said);
  const answered = announcement.ask(question, AbortSignal.timeout(30_000));
  await expect.poll(async () => (await findRunning(state))[0]?.questions).toHaveLength(1);
  const id = (await findRunning(state))[0]?.questions[0]?.id ?? '';
  await state.write(`${announcement.id}.${id}.answer`, '"yes, everything"');
  expect(await answered).toEqual({ answer: 'never', kept: false });
});
