import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../boundary/step/operation.ts';
import { decide } from './decide.ts';
import { parsePolicy } from './rules/policy.ts';
import { presets } from './rules/permission-presets.ts';
import { createStepGuard } from './step-guard.ts';

describe('a step guard', () => {
  const policy = parsePolicy({ preset: 'ask-before-write', deny: ['/dist'] });

  test('lets pass what is allowed', () => {
    const guard = createStepGuard(policy, 'app', 'read');
    expect([guard('src', false), guard('src/a.ts', true)]).toEqual([undefined, undefined]);
  });

  test('denies at the step that a rule covers', () => {
    const guard = createStepGuard(policy, 'app', 'read');
    expect(guard('dist', false)).toEqual({
      verdict: 'deny',
      rule: 'deny:/dist',
      reason: 'a deny rule covers it',
    });
  });

  test('speaks of the operation at the last step only', () => {
    const write = createStepGuard(policy, 'app', 'write');
    expect([write('src', false), write('src/a.ts', true)?.verdict]).toEqual([undefined, 'ask']);
    const execute = createStepGuard(policy, 'app', 'execute');
    expect([execute('src', false), execute('src/a.ts', true)?.verdict]).toEqual([undefined, 'deny']);
  });

  test('denies before it asks', () => {
    expect(createStepGuard(policy, 'app', 'write')('.env', true)?.rule).toBe('deny:.env');
  });

  test('passes through a directory that may not be listed', () => {
    const guard = createStepGuard(parsePolicy({ allow: ['read'] }), 'app', 'read');
    expect([guard('src', false), guard('src/a.ts', true)]).toEqual([undefined, undefined]);
  });

  test('knows the entry of its root', () => {
    const own = parsePolicy({ roots: { app: { preset: 'write-in-project', deny: ['/x'] } } });
    expect(createStepGuard(own, 'app', 'write')('a', true)).toBeUndefined();
    expect(createStepGuard(own, 'app', 'write')('x', false)?.rule).toBe('deny:/x');
    expect(createStepGuard(own, 'docs', 'write')('a', true)?.rule).toBe('preset:read-only');
  });
});

test('says on a way without links what decide says of its end', () => {
  const name = fc.constantFrom('a', '.env', '.env.example', '.git', 'config', 'hooks', 'x.pem', '.ssh');
  const preset = fc.constantFrom(...(Object.keys(presets) as (keyof typeof presets)[]));
  const way = fc.array(name, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(preset, fc.constantFrom(...operations), way, (chosen, operation, names) => {
      const policy = parsePolicy({ preset: chosen });
      const guard = createStepGuard(policy, 'app', operation);
      const steps = names.map((_, index) => names.slice(0, index + 1).join('/'));
      const refusals = steps.map((step, index) => guard(step, index === steps.length - 1));
      const relative = names.join('/');
      const decision = decide(policy, { operation, path: relative }, { root: 'app', relative });
      const expected = decision.verdict === 'allow' ? undefined : decision;
      expect(refusals.find((refusal) => refusal !== undefined)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
