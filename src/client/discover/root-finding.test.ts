import { expect, test } from 'vitest';
import { createRootIssue } from '../../path/root-issue.ts';
import { createRootFinding } from './root-finding.ts';

test('a dropped root is an error, a doubtful one a warning, a repaired one a note', () => {
  const severity = (code: Parameters<typeof createRootIssue>[0]): string =>
    createRootFinding(createRootIssue(code, 'x'), 0).severity;
  expect([severity('missing'), severity('nested'), severity('bare-path')]).toEqual([
    'error',
    'warning',
    'note',
  ]);
});

test('the real path is a field of its own, never part of the message', () => {
  const finding = createRootFinding(createRootIssue('leads-elsewhere', 'file:///a'), 3, '/secret/place');
  expect(finding).toMatchObject({ index: 3, real: '/secret/place' });
  expect(finding.message + finding.hint).not.toContain('secret');
});
