import { expect, test } from 'vitest';
import { parseRoot } from '../../path/root.ts';
import {
  type Candidate,
  candidateReasons,
  type CandidateReasonCode,
  createReason,
  rankCandidates,
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

test('the score is the sum of the points, the weightiest reason comes first', () => {
  const { score, reasons } = candidate('/a', ['start', 'member', 'repository']);
  expect(score).toBe(40 - 20 + 10);
  expect(reasons.map(({ code }) => code)).toEqual(['repository', 'member', 'start']);
});

test('the best comes first, then what was opened last, then the path', () => {
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
