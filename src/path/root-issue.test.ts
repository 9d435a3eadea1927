import { expect, test } from 'vitest';
import { createRootIssue } from './root-issue.ts';

test('a dropped entry says what it was, why, and what to send', () => {
  expect(createRootIssue('relative', 'src')).toEqual({
    code: 'relative',
    effect: 'dropped',
    entry: 'src',
    message: 'Cannot use root "src": it is not absolute',
    hint: 'Send the absolute file URI of a directory, such as file:///home/me/app',
  });
});

test('a repaired entry says what was put right', () => {
  const issue = createRootIssue('bare-path', '/a');
  expect(issue.effect).toBe('repaired');
  expect(issue.message).toBe('Repaired root "/a": it is a path, not a URI');
});

test('details replace the words of the table and add the likelier meaning', () => {
  const issue = createRootIssue('invalid', 'x\u202E', { state: 'it is odd', alternative: '/x' });
  expect(issue.message).toBe('Cannot use root "x\\u{202e}": it is odd');
  expect(issue.alternative).toBe('/x');
});
