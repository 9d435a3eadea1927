import { expect, test } from 'vitest';
import { parseRoot } from '../../path/root.ts';
import {
  type Candidate,
  type CandidateFacts,
  type CandidateReasonCode,
  candidateReasons,
  createReason,
  rankCandidates,
  reasonsFor,
  scoreCandidate,
} from './candidate.ts';

function candidate(path: string, codes: readonly CandidateReasonCode[], opened?: Date): Candidate {
  const { root } = parseRoot({ uri: path }, { platform: 'posix' });
  if (root === undefined) throw new Error(path);
  const base = {
    root,
    kind: 'repository',
    markers: [],
    ...(opened === undefined ? {} : { opened }),
  } as const;
  return scoreCandidate(
    base,
    codes.map((code) => createReason(code)),
  );
}

test('the score is the sum of the points, and the strongest reason comes first', () => {
  const { score, reasons } = candidate('/a', ['start', 'member', 'repository']);
  expect(score).toBe(40 - 20 + 10);
  expect(reasons.map(({ code }) => code)).toEqual(['repository', 'member', 'start']);
});

test('ranks by score, then by last use, then by path', () => {
  const ranked = rankCandidates([
    candidate('/d', ['manifest']),
    candidate('/c', ['manifest']),
    candidate('/b', ['manifest'], new Date(5)),
    candidate('/a', ['member']),
    candidate('/e', ['repository', 'manifest']),
  ]);
  expect(ranked.map(({ root }) => root.path)).toEqual(['/e', '/b', '/c', '/d', '/a']);
});

test('every reason of the table reads as the end of a sentence', () => {
  const texts = Object.values(candidateReasons).map(({ text }) => text);
  expect(texts.filter((text) => !/^(?:it|an editor|a VS Code workspace) /.test(text))).toEqual([]);
  expect(createReason('manifest', 'package.json')).toEqual({
    code: 'manifest',
    points: 30,
    text: 'it has a project file',
    detail: 'package.json',
  });
});

const now = new Date('2026-06-30T12:00:00Z');
const plain: CandidateFacts = { kind: 'directory', markers: [] };

function told(facts: Partial<CandidateFacts>): readonly string[] {
  return reasonsFor({ ...plain, ...facts }, now).map(({ code, detail }) => [code, detail].join(' ').trim());
}

test.each([
  [
    { markers: ['.git', 'package.json', 'a.code-workspace', '.idea'] },
    ['repository .git', 'manifest package.json', 'workspace a.code-workspace', 'editor .idea'],
  ],
  [{ kind: 'marker', markers: ['.blue'] }, ['marker .blue']],
  [{ found: { depth: 0, member: false } }, ['start']],
  [{ found: { depth: 4, member: true, parent: '/p' } }, ['deep', 'member']],
  [{ found: { depth: 1, member: false, parent: '/p' } }, ['nested']],
  [{ workspace: 'team' }, ['workspace-folder team']],
  [{}, []],
] as const)('%o', (facts, expected) => {
  expect(told(facts)).toEqual(expected);
});

test.each([
  ['2026-06-29', 'opened-this-week Cursor'],
  ['2026-06-10', 'opened-this-month Cursor'],
  ['2025-06-10', 'opened Cursor'],
])('opened on %s counts as %s', (day, expected) => {
  expect(told({ recent: { path: '/a', editor: 'Cursor', opened: new Date(day) } })).toEqual([expected]);
});
