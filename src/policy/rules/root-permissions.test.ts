import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import type { PermissionConfig } from './policy-config.ts';
import { parsePolicy } from './policy.ts';
import { permissionsKey, readRootPermissions, toRootPermissions } from './root-permissions.ts';

function sent(permissions: unknown): unknown {
  return { uri: 'file:///app', name: 'app', _meta: { other: 1, [permissionsKey]: permissions } };
}

describe('the permissions of a root, spelled out', () => {
  test.each<[string, PermissionConfig, readonly string[], readonly string[]]>([
    ['nothing said', {}, ['read', 'list'], []],
    ['a preset', { preset: 'write-in-project' }, ['read', 'list', 'write'], []],
    ['a preset that asks', { preset: 'ask-before-write' }, ['read', 'list'], ['write', 'remove']],
    ['more than a preset', { preset: 'read-only', allow: ['execute'] }, ['read', 'list', 'execute'], []],
    ['less than a preset', { preset: 'write-in-project', ask: ['write'] }, ['read', 'list'], ['write']],
    ['nothing allowed', { allow: [] }, [], []],
  ])('%s', (_what, config, allow, ask) => {
    expect(toRootPermissions(config)).toEqual({ allow, ask, deny: [] });
  });

  test('deny rules keep their operations and reasons', () => {
    const deny = ['*.pem', { glob: '/dist', operations: ['write'] as const, reason: 'it is built' }];
    expect(toRootPermissions({ deny }).deny).toEqual([
      expect.objectContaining({ glob: '*.pem', operations: ['read', 'list', 'write', 'remove', 'execute'] }),
      { glob: '/dist', operations: ['write'], reason: 'it is built' },
    ]);
  });

  test('decide as the policy does, after crossing the wire', () => {
    const config = { preset: 'ask-before-write', deny: [{ glob: 'x', operations: ['read'] }] } as const;
    const over = readRootPermissions(JSON.parse(JSON.stringify(sent(toRootPermissions(config)))));
    const [one, other] = [parsePolicy(config), parsePolicy(over)];
    for (const operation of ['read', 'list', 'write', 'remove', 'execute'] as const) {
      for (const relative of ['a', 'x', 'b/x/c', '.env']) {
        const request = [
          { operation, path: relative },
          { root: 'app', relative },
        ] as const;
        expect(decide(other, ...request).verdict).toBe(decide(one, ...request).verdict);
      }
    }
  });
});

describe('permissions in an entry', () => {
  test.each([undefined, null, 'file:///app', {}, { _meta: null }, { _meta: {} }, { _meta: { x: 1 } }])(
    'are absent in %j',
    (entry) => {
      expect(readRootPermissions(entry)).toBeUndefined();
    },
  );

  test.each([
    null,
    'all',
    ['read'],
    { allow: 'read' },
    { allow: ['delete'] },
    { allow: ['read'], deny: ['['] },
    { allow: ['read'], alow: [] },
    { allow: ['read'], secrets: false },
    { allow: ['read'], roots: { app: {} } },
  ])('allow nothing if they are %j', (permissions) => {
    expect(readRootPermissions(sent(permissions))).toEqual({
      allow: [],
      ask: [],
      deny: [],
      fault: expect.stringMatching(/^Cannot use the policy/),
    });
  });

  test('allow nothing that they do not name', () => {
    expect(readRootPermissions(sent({}))).toEqual({ allow: [], ask: [], deny: [] });
    expect(readRootPermissions(sent({ ask: ['read'] }))).toEqual({ allow: [], ask: ['read'], deny: [] });
  });
});
