import { expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { permissionsKey } from '../../policy/rules/root-permissions.ts';
import type { RootExposure } from './exposure.ts';
import { redactedKey, toWireRoot } from './wire-root.ts';

const context = {
  server: { name: 'files', tier: 'stdio', fingerprint: 'aa' },
  now: new Date(),
  mapUri: undefined,
  tellsGlobs: true,
} as const;

function exposure(state: RootExposure['state']): RootExposure {
  return { root: sampleRoot({ name: 'my app' }), state, rule: 'x', reason: 'y' };
}

test('a shown root carries its permissions', () => {
  expect(toWireRoot(exposure('shown'), context)).toEqual({
    uri: 'file:///srv/my app',
    name: 'my app',
    _meta: { [permissionsKey]: { allow: ['read', 'list'], ask: [], deny: [] } },
  });
});

test('a redacted root has a name and no path', () => {
  const wire = toWireRoot(exposure('redacted'), context);
  expect(wire).toEqual({ uri: 'file:///redacted/my%20app', name: 'my app', _meta: { [redactedKey]: true } });
  expect(JSON.stringify(wire)).not.toContain('/srv');
});

test.each(['hidden', 'undecided'] as const)('a root that is %s is left out', (state) => {
  expect(toWireRoot(exposure(state), context)).toBeUndefined();
});

test.each([
  ['file:///workspace/app', true],
  ['file:///C:/app', true],
  ['http://example.com/path', false],
  ['/workspace/app', false],
  ['file://', false],
])('a root may be mapped to %s: %s', (uri, isFine) => {
  const wire = (): unknown => toWireRoot(exposure('shown'), { ...context, mapUri: () => uri });
  if (isFine) expect(wire()).toMatchObject({ uri });
  else
    expect(wire).toThrow(
      expect.objectContaining({
        code: 'INVALID_URI',
        data: { uri, reason: 'Only file:// URIs are supported' },
      }),
    );
});

test('the permissions of a root are limited by the answer of a person', () => {
  const limited = { ...exposure('shown'), operations: ['list', 'write'] } as const;
  expect(toWireRoot(limited, context)).toMatchObject({
    _meta: { [permissionsKey]: { allow: ['list'], ask: [], deny: [] } },
  });
});

test('denied globs are sent only to servers that may know them', () => {
  const root = sampleRoot({ permissions: { allow: ['read'], deny: ['clients/acme-merger/**'] } });
  const shown = { ...exposure('shown'), root };
  expect(JSON.stringify(toWireRoot(shown, context))).toContain('acme-merger');
  expect(toWireRoot(shown, { ...context, tellsGlobs: false })).toMatchObject({
    _meta: { [permissionsKey]: { allow: ['read'], ask: [], deny: [] } },
  });
});
