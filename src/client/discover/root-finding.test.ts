import { expect, test } from 'vitest';
import { createRootIssue } from '../../path/root-issue.ts';
import { createRootFinding } from './root-finding.ts';

test('what drops a root is an error, what warns a warning, what was repaired a note', () => {
  const severity = (code: Parameters<typeof createRootIssue>[0]): string =>
    createRootFinding(createRootIssue(code, 'x'), 0).severity;
  expect([severity('missing'), severity('nested'), severity('bare-path')]).toEqual([
    'error',
    'warning',
    'note',
  ]);
});

test('where it really is stands beside the message, never in it', () => {
  const finding = createRootFinding(createRootIssue('leads-elsewhere', 'file:///a'), 3, '/secret/place');
  expect(finding).toMatchObject({ index: 3, real: '/secret/place' });
  expect(finding.message + finding.hint).not.toContain('secret');
});
