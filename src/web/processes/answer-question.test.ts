import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { answerName, answerQuestion, readReply, takenName } from './answer-question.ts';
import { readJson } from './find-running.ts';

const to = { process: 'serve-1', question: 'q' };

test('the first of two concurrent answers counts, and only that one is stored', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  const kept: string[] = [];
  const keep = (word: string) => async (): Promise<boolean> => kept.push(word) > 0;
  const replies = await Promise.all([
    answerQuestion(state, { ...to, keep: keep('one') }, 'always'),
    answerQuestion(state, { ...to, keep: keep('other') }, 'never'),
  ]);
  const first = replies.find((reply) => reply !== undefined);
  expect(replies).toContain(undefined);
  expect(kept).toHaveLength(1);
  expect(await readJson(state, answerName('serve-1', 'q'))).toEqual(first);
});

test('stores an answer before the asking process sees it', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  let seen: readonly string[] = [];
  const keep = async (): Promise<boolean> => {
    seen = readdirSync(tree.at('state'));
    return true;
  };
  expect(await answerQuestion(state, { ...to, keep }, 'always')).toEqual({ answer: 'always', kept: true });
  expect(seen).toEqual([takenName('serve-1', 'q')]);
});

test('an answer that could not be stored can be given again', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('state'));
  const keep = (): Promise<boolean> => Promise.reject(new Error('the file is damaged'));
  await expect(answerQuestion(state, { ...to, keep }, 'always')).rejects.toThrow('damaged');
  expect(await answerQuestion(state, to, 'once')).toEqual({ answer: 'once', kept: false });
});

test('reads an invalid reply as a refusal', () => {
  for (const said of ['once', null, undefined, 7, { answer: 'yes', kept: true }, {}]) {
    expect(readReply(said)).toEqual({ answer: 'never', kept: false });
  }
  expect(readReply({ answer: 'session', kept: 'yes' })).toEqual({ answer: 'session', kept: false });
});
