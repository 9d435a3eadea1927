import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { decide } from '../decide.ts';
import { compileDenyRule } from './deny-rule.ts';
import type { PolicyConfig } from './policy-config.ts';
import { type PermissionChoice, createPermissions, parsePolicy, choosesPermissions } from './policy.ts';

/** `verdict rule` of one question. */
function ask(config: PolicyConfig | undefined, root: string, operation: Operation, relative: string): string {
  const { verdict, rule } = decide(parsePolicy(config), { operation, path: relative }, { root, relative });
  return `${verdict} ${rule}`;
}

describe('a policy', () => {
  test('that is not given allows reading, and denies secrets', () => {
    expect(ask(undefined, 'app', 'read', 'a.ts')).toBe('allow preset:read-only');
    expect(ask(undefined, 'app', 'write', 'a.ts')).toBe('deny preset:read-only');
    expect(ask(undefined, 'app', 'read', '.env')).toBe('deny deny:.env');
  });

  test('opens secrets only explicitly', () => {
    expect(ask({ secrets: true }, 'app', 'read', '.env')).toBe('deny deny:.env');
    expect(ask({ secrets: false }, 'app', 'read', '.env')).toBe('allow preset:read-only');
  });

  test('gives its own reason before that of the preset', () => {
    const policy = parsePolicy({ deny: [{ glob: '.env', reason: 'ask Kim' }] });
    const decision = decide(policy, { operation: 'read', path: '.env' }, { root: 'app', relative: '.env' });
    expect(decision.reason).toBe('ask Kim');
  });
});

describe('the entry of a root', () => {
  const config: PolicyConfig = {
    allow: ['read', 'list', 'write'],
    ask: ['remove'],
    deny: ['/dist'],
    roots: {
      docs: { allow: ['read'] },
      tools: { preset: 'ask-before-write', allow: ['execute'] },
      app: { deny: ['/generated'] },
      plain: {},
    },
  };

  test('replaces what is allowed and asked', () => {
    expect(ask(config, 'docs', 'read', 'a')).toBe('allow allow:read');
    expect(ask(config, 'docs', 'list', 'a')).toBe('deny not-allowed:list');
    expect(ask(config, 'docs', 'remove', 'a')).toBe('deny not-allowed:remove');
    expect(ask(config, 'tools', 'write', 'a')).toBe('ask preset:ask-before-write');
    expect(ask(config, 'tools', 'execute', 'a')).toBe('allow allow:execute');
  });

  test('adds to what is denied and never takes away', () => {
    expect(ask(config, 'app', 'read', 'generated/a')).toBe('deny deny:/generated');
    expect(ask(config, 'other', 'read', 'generated/a')).toBe('allow allow:read');
    for (const root of ['docs', 'tools', 'app', 'plain', 'other']) {
      expect(ask(config, root, 'read', 'dist/a')).toBe('deny deny:/dist');
      expect(ask(config, root, 'read', '.env')).toBe('deny deny:.env');
    }
  });

  test('that only denies or is empty leaves the rest as it is', () => {
    for (const root of ['app', 'plain', 'other']) {
      expect(ask(config, root, 'write', 'a')).toBe('allow allow:write');
      expect(ask(config, root, 'remove', 'a')).toBe('ask ask:remove');
    }
  });

  test('is found by its exact name, even an unusual one', () => {
    const odd = JSON.parse('{"roots":{"__proto__":{"allow":["write"]}}}') as PolicyConfig;
    expect(ask(odd, '__proto__', 'write', 'a')).toBe('allow allow:write');
    expect(ask(odd, 'constructor', 'write', 'a')).toBe('deny preset:read-only');
    expect(ask(config, 'Docs', 'write', 'a')).toBe('allow allow:write');
  });
});

describe('an invalid glob', () => {
  test.each<[PolicyConfig, string, string]>([
    [{ deny: ['ok', 'ok', '!x'] }, 'deny[2]', 'it begins with "!", and there is no negation here'],
    [{ deny: [{ glob: '../x' }] }, 'deny[0].glob', 'it contains "." or ".."'],
    [{ roots: { app: { deny: ['[a'] } } }, 'roots.app.deny[0]', 'a bracket or brace in it is not closed'],
    [{ deny: ['{a,b}'.repeat(9)] }, 'deny[0]', 'its braces expand to more than 256 patterns'],
  ])('refuses the policy: %j', (config, where, reason) => {
    expect(() => parsePolicy(config)).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', data: { where, reason } }),
    );
  });
});

test('a thousand general rules and a thousand of a root are accepted', () => {
  const deny = Array.from({ length: 1_000 }, (_, index) => `*x${index}*`);
  const policy = parsePolicy({ deny, roots: { app: { deny } } });
  const decision = decide(policy, { operation: 'read', path: 'x999' }, { root: 'app', relative: 'x999' });
  expect(decision.rule).toBe('deny:*x9*');
});

describe('whatever the JSON', () => {
  const word = fc.constantFrom(
    ...operations,
    'delete',
    'read-only',
    'ask-before-write',
    '',
    '.env',
    '[',
    '**/x/**',
  );
  const leaf = fc.oneof(word, fc.jsonValue({ maxDepth: 1 }));
  const list = fc.oneof(fc.array(word, { maxLength: 4 }), leaf);
  const rule = fc.oneof(
    leaf,
    fc.record({ glob: leaf, operations: list, reason: leaf }, { requiredKeys: [] }),
  );
  const level = {
    preset: leaf,
    allow: list,
    ask: list,
    deny: fc.oneof(fc.array(rule, { maxLength: 3 }), leaf),
  };
  const entry = fc.record(level, { requiredKeys: [] });
  const roots = fc.oneof(fc.dictionary(fc.string(), fc.oneof(entry, leaf), { maxKeys: 3 }), leaf);
  const config = fc.record({ ...level, secrets: fc.oneof(fc.boolean(), leaf), roots }, { requiredKeys: [] });

  test('nothing but INVALID_POLICY is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(config, fc.jsonValue(), fc.anything()), (input) => {
        try {
          parsePolicy(input);
        } catch (error) {
          expect(RootwardError.is(error, 'INVALID_POLICY')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const silent: PermissionChoice = { preset: undefined, allow: undefined, ask: undefined };

/** `operation: verdict (rule)` for each operation. */
function verdicts(choice: Partial<PermissionChoice>): readonly string[] {
  const permissions = createPermissions({ ...silent, ...choice }, [], { platform: 'posix' });
  return operations.map((operation) => {
    const { verdict, rule } = permissions.verdicts[operation];
    return `${operation}: ${verdict} (${rule})`;
  });
}

describe('the verdicts', () => {
  test('without a config are read-only', () => {
    expect(verdicts({})).toEqual([
      'read: allow (preset:read-only)',
      'list: allow (preset:read-only)',
      'write: deny (preset:read-only)',
      'remove: deny (preset:read-only)',
      'execute: deny (preset:read-only)',
    ]);
  });

  test('of a preset are the preset', () => {
    expect(verdicts({ preset: 'ask-before-write' })).toEqual([
      'read: allow (preset:ask-before-write)',
      'list: allow (preset:ask-before-write)',
      'write: ask (preset:ask-before-write)',
      'remove: ask (preset:ask-before-write)',
      'execute: deny (preset:ask-before-write)',
    ]);
  });

  test('of a list are the list, and the rest is denied', () => {
    expect(verdicts({ allow: ['read'] })).toEqual([
      'read: allow (allow:read)',
      'list: deny (not-allowed:list)',
      'write: deny (not-allowed:write)',
      'remove: deny (not-allowed:remove)',
      'execute: deny (not-allowed:execute)',
    ]);
  });

  test('of an empty list are all denials', () => {
    expect(verdicts({ allow: [] }).every((line) => line.includes('deny (not-allowed:'))).toBe(true);
  });

  test('of a question alone allow nothing beside it', () => {
    expect(verdicts({ ask: ['write'] })).toContain('write: ask (ask:write)');
    expect(verdicts({ ask: ['write'] })).toContain('read: deny (not-allowed:read)');
  });

  test('of lists go before those of the preset', () => {
    expect(verdicts({ preset: 'write-in-project', allow: ['execute'], ask: ['write', 'remove'] })).toEqual([
      'read: allow (preset:write-in-project)',
      'list: allow (preset:write-in-project)',
      'write: ask (ask:write)',
      'remove: ask (ask:remove)',
      'execute: allow (allow:execute)',
    ]);
  });
});

test('a rule denies the operations that it names and no others', () => {
  const rule = compileDenyRule(
    { glob: '*.lock', operations: ['write', 'remove'], reason: 'x' },
    { platform: 'posix' },
  );
  const { denials } = createPermissions(silent, [rule], { platform: 'posix' });
  expect(operations.filter((operation) => denials[operation]('a.lock') !== undefined)).toEqual([
    'write',
    'remove',
  ]);
});

test('an empty list counts as a choice', () => {
  expect(choosesPermissions(silent)).toBe(false);
  expect(choosesPermissions({ ...silent, ask: [] })).toBe(true);
});
