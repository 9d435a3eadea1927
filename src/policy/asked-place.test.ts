import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../boundary/step/operation.ts';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { covers, createStepGuard, findAskedPlace } from './asked-place.ts';
import { type AccessRequest, decide } from './decide.ts';
import type { AskedPlace } from './decision.ts';
import { permissionPresets } from './rules/permission-presets.ts';
import { parsePolicy } from './rules/policy.ts';

const entries = [
  'app/src/a',
  'app/l => src/a',
  'app/ll => l',
  'app/d => src',
  'app/free => new/file',
  'app/.env',
  'app/hidden => .env',
  'app/out => ../secret',
  'app/loop => loop',
  'secret',
];

async function placeFor(request: AccessRequest): Promise<AskedPlace> {
  using tree = tempTree(entries);
  await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots);
  const location = workspace.locate(request.path);
  if (location === undefined) throw new Error('no location');
  const policy = parsePolicy({ ask: ['read', 'list', 'write', 'remove'] });
  return await findAskedPlace({ workspace, policy }, request, location);
}

describe('the place that a person is asked about', () => {
  test.each([
    ['src/a', 'src/a', [], false],
    ['l', 'src/a', ['l'], false],
    ['ll', 'src/a', ['ll', 'l'], false],
    ['d', 'src', ['d'], true],
    ['d/a', 'src/a', [], false],
    ['.', '', [], true],
    ['src/../l', 'src/a', ['l'], false],
    ['new', 'new', [], false],
    ['n1/n2/n3', 'n1/n2/n3', [], false],
    ['free', 'new/file', ['free'], false],
    ['d/n1/n2', 'src/n1/n2', [], false],
    ['loop', 'loop', [], false],
  ])('%s is %s', async (path, relative, links, whole) => {
    expect(await placeFor({ operation: 'write', path })).toEqual({ relative, links, whole });
  });

  test('is the link itself, where that is meant', async () => {
    expect(await placeFor({ operation: 'remove', path: 'l' })).toMatchObject({ relative: 'l', links: [] });
    expect(await placeFor({ operation: 'write', path: 'l', itself: true })).toMatchObject({ relative: 'l' });
  });

  test('is none where no yes could help', async () => {
    await expect(placeFor({ operation: 'write', path: 'hidden' })).rejects.toMatchObject({
      code: 'DENIED',
      data: { rule: 'deny:.env' },
    });
    await expect(placeFor({ operation: 'write', path: 'out' })).rejects.toMatchObject({
      code: 'OUTSIDE_ROOTS',
    });
  });
});

test.each([
  [{ relative: 'a', links: [], whole: false }, 'a', true],
  [{ relative: 'a', links: [], whole: false }, 'a/b', false],
  [{ relative: 'a', links: [], whole: true }, 'a/b', true],
  [{ relative: 'a', links: [], whole: true }, 'ab', false],
  [{ relative: '', links: [], whole: true }, 'anything', true],
])('a yes for %j at %s: %s', (place, relative, expected) => {
  expect(covers(place, 'write', relative)).toBe(expected);
  expect(covers(place, 'execute', relative)).toBe(true);
});

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
