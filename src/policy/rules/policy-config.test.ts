import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { parsePolicyConfig, type PolicyConfig } from './policy-config.ts';

describe('a config', () => {
  test.each([undefined, {}])('that is empty is the default: %j', (input) => {
    expect(parsePolicyConfig(input)).toEqual({
      preset: undefined,
      allow: undefined,
      ask: undefined,
      deny: [],
      secrets: true,
      roots: new Map(),
    });
  });

  test('is read with every rule spelled out', () => {
    const config: PolicyConfig = {
      preset: 'write-in-project',
      allow: ['execute'],
      ask: ['remove'],
      deny: ['/dist', { glob: '*.lock', operations: ['write'], reason: 'tools write it' }],
      secrets: false,
      roots: { docs: { allow: [], deny: [{ glob: 'drafts/**' }] } },
    };
    expect(parsePolicyConfig(config)).toEqual({
      preset: 'write-in-project',
      allow: ['execute'],
      ask: ['remove'],
      deny: [
        { glob: '/dist', operations, reason: 'a deny rule covers it' },
        { glob: '*.lock', operations: ['write'], reason: 'tools write it' },
      ],
      secrets: false,
      roots: new Map([
        [
          'docs',
          {
            preset: undefined,
            allow: [],
            ask: undefined,
            deny: [
              {
                glob: 'drafts/**',
                operations,
                reason: 'a deny rule covers it',
              },
            ],
          },
        ],
      ]),
    });
  });
});

describe('a config is refused', () => {
  const known = 'use one of: read, list, write, remove, execute';

  test.each<[unknown, string, string]>([
    [null, 'at the top', 'it is null, not an object of keys and values'],
    ['read-only', 'at the top', 'it is a string, not an object of keys and values'],
    [[], 'at the top', 'it is a list, not an object of keys and values'],
    [
      { alow: [] },
      'alow',
      'it is unknown (did you mean "allow"?); keys are: preset, allow, ask, deny, secrets, roots',
    ],
    [{ preset: 'all' }, 'preset', 'it is "all"; use one of: read-only, write-in-project, ask-before-write'],
    [
      { preset: 'toString' },
      'preset',
      'it is "toString"; use one of: read-only, write-in-project, ask-before-write',
    ],
    [{ allow: 'read' }, 'allow', 'it is a string, not a list'],
    [{ allow: ['read', 'delete'] }, 'allow[1]', `it is "delete"; ${known}`],
    [{ ask: [['write']] }, 'ask[0]', `it is a list; ${known}`],
    [{ allow: ['read', 'write'], ask: ['remove', 'write'] }, 'ask[1]', '"write" is in "allow" as well'],
    [{ deny: '.env' }, 'deny', 'it is a string, not a list'],
    [{ deny: ['a', 'b', ''] }, 'deny[2]', 'it is empty'],
    [{ deny: [7] }, 'deny[0]', 'it is a number, not an object of keys and values'],
    [{ deny: [{}] }, 'deny[0]', '"glob" is missing'],
    [{ deny: [{ glob: 7 }] }, 'deny[0].glob', 'it is a number, not a string'],
    [
      { deny: [{ glob: 'a', reson: 'b' }] },
      'deny[0].reson',
      'it is unknown (did you mean "reason"?); keys are: glob, operations, reason',
    ],
    [
      { deny: [{ glob: 'a', operations: [] }] },
      'deny[0].operations',
      'it is empty; leave it out to deny every operation',
    ],
    [{ deny: [{ glob: 'a', operations: ['read', 'rm'] }] }, 'deny[0].operations[1]', `it is "rm"; ${known}`],
    [{ deny: [{ glob: 'a', reason: '' }] }, 'deny[0].reason', 'it is empty'],
    [{ secrets: 'no' }, 'secrets', 'it is a string, not true or false'],
    [{ secrets: null }, 'secrets', 'it is null, not true or false'],
    [{ roots: [] }, 'roots', 'it is a list, not an object of keys and values'],
    [{ roots: { '': {} } }, 'roots[""]', 'a name cannot be empty'],
    [{ roots: { app: { allow: ['x'] } } }, 'roots.app.allow[0]', `it is "x"; ${known}`],
    [
      { roots: { app: { secrets: false } } },
      'roots.app.secrets',
      'it is unknown; keys are: preset, allow, ask, deny',
    ],
    [
      { roots: { app: { roots: {} } } },
      'roots.app.roots',
      'it is unknown; keys are: preset, allow, ask, deny',
    ],
    [
      { roots: { app: { allow: ['read'], ask: ['read'] } } },
      'roots.app.ask[0]',
      '"read" is in "allow" as well',
    ],
  ])('%j', (input, where, reason) => {
    expect(() => parsePolicyConfig(input)).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', data: { where, reason } }),
    );
  });
});

test('a root may ask about what the general rules allow', () => {
  const { roots } = parsePolicyConfig({ allow: ['write'], roots: { app: { ask: ['write'] } } });
  expect(roots.get('app')?.ask).toEqual(['write']);
});

test('nothing but INVALID_POLICY is thrown, whatever the JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        parsePolicyConfig(value);
      } catch (error) {
        expect(RootwardError.is(error, 'INVALID_POLICY')).toBe(true);
      }
    }),
  );
});
