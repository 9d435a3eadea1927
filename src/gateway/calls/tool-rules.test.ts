import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { compileToolRules } from './tool-rules.ts';

test('a denial beats a question, and a question beats nothing', () => {
  const rules = compileToolRules({ denyTool: ['rm_*'], askTool: ['*_all', 'write'] });
  const verdicts = ['rm_all', 'list_all', 'write', 'writer'].map((name) => rules.judge({ name }).verdict);
  expect(verdicts).toEqual(['deny', 'ask', 'ask', 'allow']);
  expect(rules.needsHints).toBe(false);
});

test('read-only takes the word of the server, and silence for a no', () => {
  const rules = compileToolRules({ readOnly: true, askTool: ['b'] });
  expect(rules.needsHints).toBe(true);
  expect(rules.judge({ name: 'a' })).toMatchObject({ verdict: 'deny', rule: 'read-only' });
  expect(rules.judge({ name: 'a', readOnlyHint: false }).verdict).toBe('deny');
  expect(rules.judge({ name: 'a', readOnlyHint: true }).verdict).toBe('allow');
  expect(rules.judge({ name: 'b', readOnlyHint: true }).verdict).toBe('ask');
});

test('a glob that cannot be used is refused', () => {
  expect(() => compileToolRules({ denyTool: ['[a'] })).toThrow(RootwardError);
});

test.each([
  ['delete_*', 'delete_x/y', true],
  ['delete*', 'delete/', true],
  ['fs*', 'fs/delete', true],
  ['delete_*', 'Delete_X', true],
  ['*', '', true],
  ['*', '.', true],
  ['*_file', 'write_the_file', true],
  ['*a*b', 'aab', true],
  ['r?ad', 'read', true],
  ['r?ad', 'rad', false],
  ['read', 'read_file', false],
  ['delete_*', 'undelete_x', false],
  ['a.c', 'abc', false],
])('%j and the tool %j: %j', (glob, name, isDenied) => {
  expect(compileToolRules({ denyTool: [glob] }).judge({ name }).verdict).toBe(isDenied ? 'deny' : 'allow');
});
