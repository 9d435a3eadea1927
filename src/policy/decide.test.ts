import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../boundary/step/operation.ts';
import { toFileUri } from '../path/file-uri.ts';
import { compileGlobs } from '../path/glob.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { createStepGuard, decide, toPolicyLocation } from './decide.ts';
import { permissionPresets } from './rules/permission-presets.ts';
import { parsePolicy } from './rules/policy.ts';

const policy = parsePolicy({
  allow: operations,
  secrets: false,
  deny: ['.env', '/docs', 'a/b/**', 'x/*.key'],
});

function rule(relative: string): string {
  return decide(policy, { operation: 'read', path: relative }, { root: 'app', relative }).rule;
}

describe('decide', () => {
  test('denies a path that no root holds, for every operation', () => {
    for (const operation of operations) {
      expect(decide(policy, { operation, path: '/etc/passwd' }, undefined)).toEqual({
        verdict: 'deny',
        rule: 'outside-roots',
        reason: 'no root holds it',
      });
    }
  });

  test('accepts the root itself, which no glob can name', () => {
    expect(rule('.')).toBe('allow:read');
    expect(rule('')).toBe('allow:read');
  });

  test.each([
    ['.env', 'deny:.env'],
    ['src/.env', 'deny:.env'],
    ['.env/deep/down', 'deny:.env'],
    ['docs', 'deny:/docs'],
    ['docs/a/b.md', 'deny:/docs'],
    ['src/docs', 'allow:read'],
    ['a', 'allow:read'],
    ['a/b', 'deny:a/b/**'],
    ['a/b/c', 'deny:a/b/**'],
    ['x/y.key/z', 'deny:x/*.key'],
    ['x/y/z.key', 'allow:read'],
    ['./docs/', 'deny:/docs'],
    ['src/../docs/x', 'deny:/docs'],
    ['docs/../src', 'deny:/docs'],
    ['src/..', 'allow:read'],
    ['src/../../docs', 'outside-roots'],
    ['..', 'outside-roots'],
  ])('checks the path step by step: %s → %s', (relative, expected) => {
    expect(rule(relative)).toBe(expected);
  });

  test('names no path in its reason', () => {
    const decision = decide(
      policy,
      { operation: 'read', path: 'very/private' },
      { root: 'app', relative: 'docs/very/private' },
    );
    expect(decision).toEqual({ verdict: 'deny', rule: 'deny:/docs', reason: 'a deny rule covers it' });
  });
});

const name = fc.constantFrom('a', 'b', 'c', '.env', 'x.key', 'docs');
const relative = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
const glob = fc
  .array(fc.oneof(name, fc.constantFrom('*', '**', '*.key', '{a,b}')), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'))
  // `a/**/**` denies `a` like `a/**`; asked for itself it matches only what is beneath.
  .filter((text) => !text.includes('**/**'));
const globs = fc.array(glob, { maxLength: 4 });
const some = fc.subarray([...operations]);

test('a deny rule wins over everything that is allowed', () => {
  fc.assert(
    fc.property(globs, some, relative, fc.constantFrom(...operations), (deny, allow, path, operation) => {
      const own = parsePolicy({ allow, deny, secrets: false, roots: { app: { allow: operations } } });
      const denied = prefixes(path).some((prefix) => compileGlobs(deny).match(prefix) !== undefined);
      for (const root of ['app', 'other']) {
        const { verdict } = decide(own, { operation, path }, { root, relative: path });
        const permitted = root === 'app' || allow.includes(operation);
        expect(verdict).toBe(denied || !permitted ? 'deny' : 'allow');
      }
    }),
    { numRuns: 500 },
  );
});

test('a denial covers everything beneath', () => {
  fc.assert(
    fc.property(globs, relative, relative, (deny, above, below) => {
      const own = parsePolicy({ deny });
      const verdictOf = (path: string) =>
        decide(own, { operation: 'read', path }, { root: 'app', relative: path }).verdict;
      const beneath = verdictOf(`${above}/${below}`);
      expect(verdictOf(above) === 'deny' ? beneath : 'deny').toBe('deny');
    }),
    { numRuns: 500 },
  );
});

/** `a`, `a/b`, `a/b/c`. */
function prefixes(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

test('rules see the name of the root and slashes', async () => {
  using tree = tempTree(['app/']);
  await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots);
  const location = workspace.locate(join('src', 'a.ts'));
  expect(location && toPolicyLocation(location)).toEqual({ root: 'app', relative: 'src/a.ts' });
});

describe('a step guard', () => {
  const policy = parsePolicy({ preset: 'ask-before-write', deny: ['/dist'] });

  test('passes allowed names', () => {
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

  test('judges the operation at the last step only', () => {
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

  test('uses the entry of its root', () => {
    const own = parsePolicy({ roots: { app: { preset: 'write-in-project', deny: ['/x'] } } });
    expect(createStepGuard(own, 'app', 'write')('a', true)).toBeUndefined();
    expect(createStepGuard(own, 'app', 'write')('x', false)?.rule).toBe('deny:/x');
    expect(createStepGuard(own, 'docs', 'write')('a', true)?.rule).toBe('preset:read-only');
  });
});

test('agrees with decide on a path without links', () => {
  const name = fc.constantFrom('a', '.env', '.env.example', '.git', 'config', 'hooks', 'x.pem', '.ssh');
  const preset = fc.constantFrom(...(Object.keys(permissionPresets) as (keyof typeof permissionPresets)[]));
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
