import { expect, test } from 'vitest';
import { findGrant } from './find-grant.ts';
import type { Grant } from './stored-root.ts';

const now = new Date('2026-06-01T00:00:00Z');
const server = { name: 'files', tier: 'remote', fingerprint: 'aa' } as const;
const base: Grant = { server: 'files', answer: 'always', date: '2026-01-01' };

test.each<[string, readonly Grant[], Grant['answer'] | undefined]>([
  ['none at all', [], undefined],
  ['one by name', [base], 'always'],
  ['one for this program', [{ ...base, fingerprint: 'aa' }], 'always'],
  ['one for another program', [{ ...base, fingerprint: 'bb' }], undefined],
  ['one for another server', [{ ...base, server: 'other' }], undefined],
  ['one that has not ended', [{ ...base, until: '2026-06-01T00:00:01Z' }], 'always'],
  ['one that has ended', [{ ...base, until: '2026-06-01T00:00:00Z' }], undefined],
  ['one whose end cannot be read', [{ ...base, until: 'soon' }], undefined],
  ['a no before a later yes', [{ ...base, answer: 'never' }, base], 'never'],
])('%s', (_what, grants, answer) => {
  expect(findGrant(grants, server, now)?.answer).toBe(answer);
});
