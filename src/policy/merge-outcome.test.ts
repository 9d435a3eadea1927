import { describe, expect, test } from 'vitest';
import { explainOutcome, mergeModes, outcomeOf } from './merge-outcome.ts';

describe('the outcome', () => {
  test('of a client that was not asked is that of one that cannot be', () => {
    for (const mode of mergeModes) {
      for (const named of [true, false]) {
        expect(outcomeOf(named, { state: 'unasked' }, mode)).toBe(
          outcomeOf(named, { state: 'unsupported' }, mode),
        );
      }
    }
  });

  test('is explained in a sentence', () => {
    expect(explainOutcome('detected', { state: 'unsupported' }, 'union')).toBe(
      'union: the client was not asked or cannot be, so the detected project counts',
    );
    expect(explainOutcome('nothing', { state: 'empty', revoked: true }, 'intersect')).toBe(
      'intersect: the client took its roots back, so nothing counts',
    );
  });

  test('shows the reason of a failure without letting it deceive', () => {
    const answer = { state: 'failed', afterChange: true, reason: 'late\n\u202Eok' } as const;
    expect(explainOutcome('nothing', answer, 'union')).toBe(
      'union: the client changed its roots and did not answer ("late\\u{a}\\u{202e}ok"), so nothing counts',
    );
  });
});
