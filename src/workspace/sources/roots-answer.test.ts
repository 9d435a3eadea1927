import { describe, expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { answerList, type RootsAnswer } from './roots-answer.ts';

const none = parseRoots([]);
const app = parseRoots([{ uri: 'file:///app' }], { platform: 'posix' });
const listed: RootsAnswer = { state: 'listed', roots: app.roots };

describe('a list with roots', () => {
  test.each<RootsAnswer>([
    { state: 'unasked' },
    { state: 'unsupported' },
    { state: 'empty', revoked: true },
    listed,
    { state: 'failed', afterChange: true, reason: 'no answer' },
  ])('is listed after $state', (before) => {
    expect(answerList(app, before)).toEqual(listed);
  });

  test('is not empty if none of them can be used', () => {
    expect(answerList(parseRoots([{ uri: 'vscode-remote://ssh/app' }]), listed)).toMatchObject({
      state: 'listed',
      roots: [],
      issues: [{ code: 'foreign-scheme' }],
    });
  });
});

describe('an empty list', () => {
  test.each<[title: string, before: RootsAnswer, revoked: boolean]>([
    ['at the first ask takes nothing back', { state: 'unasked' }, false],
    ['of a client that could not be asked takes nothing back', { state: 'unsupported' }, false],
    ['after an empty one takes nothing back', { state: 'empty', revoked: false }, false],
    ['after roots takes them back', listed, true],
    ['keeps them taken back', { state: 'empty', revoked: true }, true],
    [
      'after a failed first ask takes nothing back',
      { state: 'failed', afterChange: false, reason: 'x' },
      false,
    ],
    [
      'after a change that could not be read takes them back',
      { state: 'failed', afterChange: true, reason: 'x' },
      true,
    ],
  ])('%s', (_title, before, revoked) => {
    expect(answerList(none, before)).toEqual({ state: 'empty', revoked });
  });
});
