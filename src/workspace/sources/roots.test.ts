import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import type { RootsAnswer } from './roots-answer.ts';
import { roots } from './roots.ts';

test('offers what is listed, with names', () => {
  const listed: RootsAnswer = {
    state: 'listed',
    roots: parseRoots([{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }], { platform: 'posix' }).roots,
  };
  expect(roots.offer({ roots: listed }, undefined)).toEqual({
    places: [
      { text: '/a', name: 'A' },
      { text: '/b', name: 'b' },
    ],
  });
});

test.each<[RootsAnswer | undefined, string]>([
  [undefined, 'not asked'],
  [{ state: 'unasked' }, 'not asked'],
  [{ state: 'unsupported' }, 'does not support'],
  [{ state: 'empty', revoked: false }, 'has no roots'],
  [{ state: 'empty', revoked: true }, 'taken its roots back'],
  [{ state: 'failed', afterChange: false, reason: 'silence' }, 'silence'],
  [{ state: 'listed', roots: [] }, 'not one root'],
])('says why it has none: %j', (answer, words) => {
  expect(roots.offer(answer === undefined ? {} : { roots: answer }, undefined)).toEqual({
    none: expect.stringContaining(words),
  });
});
