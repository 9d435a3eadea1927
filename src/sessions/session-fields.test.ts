import { expect, test } from 'vitest';
import { parseRoots } from '../path/root.ts';
import type { RootsAnswer } from '../workspace/roots-answer.ts';
import { readFields, writeAnswer, writeStart } from './session-fields.ts';

const start = { id: 'a', principal: 'me', protocolVersion: '2025-11-25', initialize: { x: [null, 'ä\0'] } };
const { roots } = parseRoots([{ uri: 'file:///srv/app', name: 'app' }], { platform: 'posix' });

test('a session that was never asked has nothing but its beginning', () => {
  expect(readFields('a', [0, -1, writeStart(start), '', '', ''])).toEqual({
    ...start,
    generation: 0,
    answered: -1,
    answer: { state: 'unasked' },
  });
});

test.each<RootsAnswer>([
  { state: 'unsupported' },
  { state: 'empty', revoked: true },
  { state: 'failed', afterChange: true, reason: 'no' },
  { state: 'listed', roots },
  { state: 'listed', roots: [], issues: [] },
])('an answer is read as it was written: %j', (answer) => {
  const { answer: text, listed } = writeAnswer(answer);
  expect(readFields('a', [1, 1, writeStart(start), text, listed, '']).answer).toEqual(answer);
});

test('roots are written once', () => {
  const { answer } = writeAnswer({ state: 'listed', roots });
  expect(answer).not.toContain('/srv/app');
});
