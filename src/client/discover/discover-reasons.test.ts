import { expect, test } from 'vitest';
import { type CandidateFacts, reasonsFor } from './discover-reasons.ts';

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
