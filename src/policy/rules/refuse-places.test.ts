import { describe, expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import { createStepGuard } from '../decide.ts';
import { decide } from '../decide.ts';
import { parsePolicy, type Policy } from './policy.ts';
import { refusePlaces } from './refuse-places.ts';

const policy = parsePolicy({
  preset: 'write-in-project',
  deny: ['*.sqlite'],
  roots: { docs: { allow: ['read'] } },
});

function ruleFor(asked: Policy, root: string, relative: string): string {
  return decide(asked, { operation: 'read', path: relative }, { root, relative }).rule;
}

describe('a part of a root', () => {
  const refusing = refusePlaces(policy, [{ root: 'srv', relative: 'apps/web' }]);

  test('is denied with everything beneath, for every operation', () => {
    for (const operation of operations) {
      for (const relative of ['apps/web', 'apps/web/', 'apps/web/a/b.txt', 'APPS/Web/a', 'apps/x/../web/a']) {
        const asked = decide(refusing, { operation, path: relative }, { root: 'srv', relative });
        expect([relative, asked.verdict, asked.rule]).toEqual([relative, 'deny', 'refused']);
        // Negative control: without it the same is denied by another rule, or not at all.
        expect(ruleFor(policy, 'srv', relative)).not.toBe('refused');
      }
    }
  });

  test.each(['apps', '.', 'apps/website/a', 'web/a', 'other/apps/web'])('%s is not', (relative) => {
    expect(ruleFor(refusing, 'srv', relative)).toBe('preset:write-in-project');
  });

  test('is denied for the real names, at the step where it begins', () => {
    const guard = createStepGuard(refusing, 'srv', 'read');
    expect(guard('apps', false)).toBeUndefined();
    expect(guard('apps/web', false)?.rule).toBe('refused');
  });

  test('removes no other rule, and affects no other root', () => {
    expect(ruleFor(refusing, 'srv', 'a.sqlite')).toBe('deny:*.sqlite');
    expect(ruleFor(refusing, 'other', 'apps/web/a')).toBe('preset:write-in-project');
    expect(ruleFor(refusing, 'docs', 'a')).toBe('allow:read');
  });
});

test.each(['.', ''])('a whole root, named "%s", permits nothing, and neither does its top', (relative) => {
  const refusing = refusePlaces(policy, [{ root: 'docs', relative }]);
  for (const asked of ['.', 'a', 'a/b']) expect(ruleFor(refusing, 'docs', asked)).toBe('refused');
  expect(ruleFor(policy, 'docs', 'a')).toBe('allow:read');
});

test('without places the policy is the same', () => {
  expect(refusePlaces(policy, [])).toBe(policy);
});
