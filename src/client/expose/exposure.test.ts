import { describe, expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { type ExposureContext, judgeExposure, type SessionAnswer } from './exposure.ts';
import type { TrustTier } from './server-identity.ts';
import type { Grant, StoredRoot } from '../store/stored-root.ts';

interface Case {
  readonly tier?: TrustTier;
  readonly grants?: readonly Grant[];
  readonly limit?: readonly string[];
  readonly answer?: SessionAnswer['answer'];
  readonly until?: string;
  readonly canAsk?: boolean;
  readonly remote?: 'none' | 'redacted';
  readonly unusable?: boolean;
}

function judge({
  tier = 'stdio',
  grants = [],
  limit,
  answer,
  until,
  canAsk = false,
  remote = 'none',
  unusable = false,
}: Case): string {
  const root: StoredRoot = sampleRoot({ grants });
  const context: ExposureContext = {
    server: { name: 'files', tier, fingerprint: 'aa' },
    snapshot: { revision: 1, roots: [root], servers: limit === undefined ? {} : { files: { roots: limit } } },
    answers: new Map(
      answer === undefined
        ? []
        : [[root.path, { answer, ...(until === undefined ? {} : { until: new Date(until) }) }]],
    ),
    askFor: canAsk ? ['loopback', 'remote'] : [],
    remote,
    now: new Date('2026-06-01'),
    isUsable: () => !unusable,
  };
  const { state, rule } = judgeExposure(root, context);
  return `${state} ${rule}`;
}

const always: Grant = { server: 'files', answer: 'always', date: '2026-01-01' };
const never: Grant = { ...always, answer: 'never' };
const here = ['/srv/app'];

describe('whether a server sees a root', () => {
  test.each<[Case, string]>([
    [{}, 'shown tier:stdio'],
    [{ canAsk: true }, 'shown tier:stdio'],
    [{ tier: 'loopback' }, 'shown tier:loopback'],
    [{ tier: 'loopback', canAsk: true }, 'undecided tier:loopback'],
    [{ tier: 'loopback', canAsk: true, answer: 'dismissed' }, 'hidden tier:loopback'],
    [{ tier: 'remote' }, 'hidden tier:remote'],
    [{ tier: 'remote', remote: 'redacted' }, 'redacted tier:remote'],
    [{ tier: 'remote', canAsk: true }, 'undecided tier:remote'],
    [{ tier: 'remote', canAsk: true, answer: 'dismissed', remote: 'redacted' }, 'redacted tier:remote'],
    [{ tier: 'remote', answer: 'session' }, 'shown consent:session'],
    [{ tier: 'remote', answer: 'once' }, 'shown consent:once'],
    [{ tier: 'remote', answer: 'session', until: '2026-06-02' }, 'shown consent:session'],
    [{ tier: 'remote', answer: 'session', until: '2026-06-01' }, 'hidden tier:remote'],
    [{ tier: 'remote', answer: 'session', until: 'never', canAsk: true }, 'undecided tier:remote'],
    [{ tier: 'stdio', answer: 'never', until: '2026-06-01' }, 'shown tier:stdio'],
    [{ tier: 'remote', grants: [always] }, 'shown grant:always'],
    [{ tier: 'remote', limit: here }, 'shown limit'],
    [{ grants: [never] }, 'hidden grant:never'],
    [{ grants: [never], limit: here, answer: 'session' }, 'hidden grant:never'],
    [{ limit: [], grants: [always], answer: 'session' }, 'hidden limit'],
    [{ answer: 'never', grants: [always] }, 'hidden consent:never'],
    [{ unusable: true, grants: [always] }, 'hidden unavailable'],
  ])('%j: %s', (given, expected) => {
    expect(judge(given)).toBe(expected);
  });
});

test('a server named like a property of Object has no list', () => {
  const root = sampleRoot();
  const context: ExposureContext = {
    server: { name: 'constructor', tier: 'remote', fingerprint: 'aa' },
    snapshot: { revision: 1, roots: [root], servers: {} },
    answers: new Map(),
    askFor: [],
    remote: 'none',
    now: new Date(),
    isUsable: () => true,
  };
  expect(judgeExposure(root, context)).toMatchObject({ state: 'hidden', rule: 'tier:remote' });
});

test('the limits of an answer apply to it, and not to a later grant', () => {
  const judged = (grants: readonly Grant[], servers = {}): readonly string[] | undefined => {
    const root = sampleRoot({ grants });
    return judgeExposure(root, {
      server: { name: 'files', tier: 'remote', fingerprint: 'aa' },
      snapshot: { revision: 1, roots: [root], servers },
      answers: new Map([[root.path, { answer: 'session', operations: ['read'] }]]),
      askFor: [],
      remote: 'none',
      now: new Date('2026-06-01'),
      isUsable: () => true,
    }).operations;
  };
  expect(judged([])).toEqual(['read']);
  expect(judged([], { files: { roots: here } })).toEqual(['read']);
  expect(judged([], { files: { roots: [] } })).toBeUndefined();
  expect(judged([always])).toBeUndefined();
});
