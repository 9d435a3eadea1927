import { describe, expect, test } from 'vitest';
import type { RootIssue } from '../../path/root-issue.ts';
import { parseRoots } from '../../path/root.ts';
import { answerList, type RootsAnswer, wholeIn } from './roots-answer.ts';

const none = parseRoots([]);
const app = parseRoots([{ uri: 'file:///app' }], { platform: 'posix' });
const listed: RootsAnswer = { state: 'listed', roots: app.roots };

describe('a list with roots', () => {
  test.each<RootsAnswer>([
    { state: 'unasked' },
    { state: 'unsupported' },
    { state: 'empty', revoked: false },
    { state: 'failed', afterChange: false, reason: 'no answer' },
  ])('is listed after $state', (before) => {
    expect(answerList(app, before)).toEqual(listed);
  });

  test.each<RootsAnswer>([
    { state: 'empty', revoked: true },
    listed,
    { state: 'failed', afterChange: true, reason: 'no answer' },
  ])('is listed again after $state', (before) => {
    expect(answerList(app, before)).toEqual({ ...listed, again: true });
  });
});

describe('a list without usable entries', () => {
  const foreign = parseRoots([{ uri: 'vscode-remote://ssh/app' }, { uri: 5 }, '${workspaceFolder}']);

  test.each<[before: RootsAnswer, revoked: boolean]>([
    [{ state: 'unasked' }, false],
    [{ state: 'empty', revoked: false }, false],
    [listed, true],
  ])('after %j counts like an empty one, and names every entry', (before, revoked) => {
    expect(answerList(foreign, before)).toMatchObject({
      state: 'empty',
      revoked,
      issues: [
        { code: 'foreign-scheme' },
        { code: 'not-an-entry' },
        { code: 'string-entry' },
        { code: 'placeholder' },
      ],
    });
  });

  test('takes nothing back by naming a whole file system, which covers everything', () => {
    const answer = answerList(parseRoots([{ uri: 'file:///' }], { platform: 'posix' }), listed);
    expect(answer).toMatchObject({ state: 'listed', roots: [] });
    expect(wholeIn(answer, 'posix')).toEqual(['/']);
  });

  test('keeps a bounded number of findings, and says how many there were', () => {
    const many = parseRoots([...Array.from({ length: 1_000 }, () => 5), { uri: 'file:///' }]);
    const { issues = [] } = answerList(many, listed) as { issues?: readonly RootIssue[] };
    expect(issues).toHaveLength(256);
    expect(issues[0]?.code).toBe('whole-file-system');
    expect(issues.at(-1)?.entry).toBe('746 more entries');
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
