import { quote } from '../base/quote.ts';
import type { RootsAnswer } from '../workspace/sources/roots-answer.ts';
import type { Combination } from './combine-roots.ts';

/** Who has a say in the roots. */
export type MergeMode = 'union' | 'intersect' | 'client' | 'operator';

export const mergeModes: readonly MergeMode[] = ['union', 'intersect', 'client', 'operator'];

export type Outcome = Combination | 'detected' | 'nothing';

/** The answers that are told apart. */
type AnswerCase = 'not-askable' | 'listed' | 'empty' | 'revoked' | 'failed' | 'failed-after-change';

/** What counts: where the operator named directories, and where nobody did. */
type Cell = readonly [named: Outcome, noneNamed: Outcome];

const outcomes: { readonly [Mode in MergeMode]: { readonly [Case in AnswerCase]: Cell } } = {
  union: {
    'not-askable': ['those', 'detected'],
    listed: ['those ∪ listed', 'listed'],
    empty: ['those', 'detected'],
    revoked: ['those', 'nothing'],
    failed: ['those', 'detected'],
    'failed-after-change': ['those', 'nothing'],
  },
  intersect: {
    'not-askable': ['those', 'nothing'],
    listed: ['those ∩ listed', 'nothing'],
    empty: ['those', 'nothing'],
    revoked: ['nothing', 'nothing'],
    failed: ['those', 'nothing'],
    'failed-after-change': ['nothing', 'nothing'],
  },
  client: {
    'not-askable': ['nothing', 'nothing'],
    listed: ['listed', 'listed'],
    empty: ['nothing', 'nothing'],
    revoked: ['nothing', 'nothing'],
    failed: ['nothing', 'nothing'],
    'failed-after-change': ['nothing', 'nothing'],
  },
  operator: {
    'not-askable': ['those', 'detected'],
    listed: ['those', 'detected'],
    empty: ['those', 'detected'],
    revoked: ['those', 'detected'],
    failed: ['those', 'detected'],
    'failed-after-change': ['those', 'detected'],
  },
};

/** What counts in a mode, before anybody looked at the roots themselves. */
export function outcomeOf(named: boolean, answer: RootsAnswer, mode: MergeMode): Outcome {
  const [whereNamed, whereNone] = outcomes[mode][caseOf(answer)];
  return named ? whereNamed : whereNone;
}

/** The outcome as a sentence for a person who wonders. */
export function explainOutcome(outcome: Outcome, answer: RootsAnswer, mode: MergeMode): string {
  const reason = answer.state === 'failed' ? ` (${quote(answer.reason)})` : '';
  return `${mode}: ${caseWords[caseOf(answer)]}${reason}, so ${outcomeWords[outcome]}`;
}

function caseOf(answer: RootsAnswer): AnswerCase {
  switch (answer.state) {
    case 'unasked':
    case 'unsupported':
      return 'not-askable';
    case 'listed':
      return 'listed';
    case 'empty':
      return answer.revoked ? 'revoked' : 'empty';
    case 'failed':
      return answer.afterChange ? 'failed-after-change' : 'failed';
  }
}

const caseWords: { readonly [Case in AnswerCase]: string } = {
  'not-askable': 'the client was not asked or cannot be',
  listed: 'the client listed roots',
  empty: 'the client has no roots',
  revoked: 'the client took its roots back',
  failed: 'the client did not answer',
  'failed-after-change': 'the client changed its roots and did not answer',
};

const outcomeWords: { readonly [Name in Outcome]: string } = {
  those: "the operator's directories count",
  listed: "the client's roots count",
  'those ∪ listed': "the operator's directories and the client's roots count",
  'those ∩ listed': "what lies in the operator's directories and in the client's roots counts",
  detected: 'the detected project counts',
  nothing: 'nothing counts',
};
