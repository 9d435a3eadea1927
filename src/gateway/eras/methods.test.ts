import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v1 from '@modelcontextprotocol/sdk/types.js';
import * as v12 from 'sdk-1.12/types.js';
import { describe, expect, test } from 'vitest';
import { crossingOf, hasHandshake, methods, type ProtocolRevision, revisions } from './methods.ts';
import type { GatewaySide } from './step.ts';

type Kind = 'request' | 'notification';

/** The methods of a revision, as the schemas of an SDK have them. */
type Schemas = Readonly<Record<`${GatewaySide} ${Kind}`, readonly string[]>>;

const schemas: Readonly<Partial<Record<ProtocolRevision, Schemas>>> = {
  '2025-03-26': unionsOf(v12 as never),
  '2025-11-25': unionsOf(v1 as never),
};

function unionsOf(
  types: Readonly<Record<string, { options: readonly { shape: { method: Literal } }[] }>>,
): Schemas {
  const methodsIn = (name: string): readonly string[] =>
    (types[name]?.options ?? []).map(({ shape }) => shape.method.value);
  return {
    'client request': methodsIn('ClientRequestSchema'),
    'client notification': methodsIn('ClientNotificationSchema'),
    'server request': methodsIn('ServerRequestSchema'),
    'server notification': methodsIn('ServerNotificationSchema'),
  };
}

interface Literal {
  readonly value: string;
}

function rowsOf(revision: ProtocolRevision): readonly (typeof methods)[number][] {
  const at = revisions.indexOf(revision);
  return methods.filter(
    ({ since, until }) => revisions.indexOf(since) <= at && at <= revisions.indexOf(until),
  );
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

describe.each(Object.entries(schemas))('revision %s', (revision, schema) => {
  test.each(Object.entries(schema))('every %s of its schema has a row, and no other', (what, names) => {
    const rows = rowsOf(revision as ProtocolRevision).filter(({ from, kind }) => `${from} ${kind}` === what);
    expect(names.length).toBeGreaterThan(2);
    expect(sorted(rows.map(({ method }) => method))).toStrictEqual(sorted(names));
  });
});

test('every method of 2026-07-28 that the SDK knows has a row, and no other', () => {
  const known = registryOf2026();
  expect(known).toContain('server/discover');
  expect(sorted(rowsOf('2026-07-28').map(({ method }) => method))).toStrictEqual(sorted(known));
});

/** The SDK does not export the list of this revision: it is read from the text of its bundle. */
function registryOf2026(): readonly string[] {
  const folder = new URL('.', import.meta.resolve('@modelcontextprotocol/server'));
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => readFileSync(fileURLToPath(new URL(name, folder)), 'utf8'));
  const bundle = texts.find((text) => text.includes('rev2026RequestMethods ='));
  const [, region = ''] =
    /#region [^\n]*rev2026-07-28\/registry\.ts\n([^]*?)#endregion/.exec(bundle ?? '') ?? [];
  return [...region.matchAll(/^\s*"([\w/]+)": null/gm)].map(([, name = '']) => name);
}

test('2024-11-05 and 2025-06-18 differ from their successors by elicitation alone', () => {
  const names = (revision: ProtocolRevision): string[] =>
    sorted(rowsOf(revision).map(({ method }) => method));
  expect(names('2024-11-05')).toStrictEqual(names('2025-03-26'));
  expect(names('2025-06-18').filter((name) => !names('2025-03-26').includes(name))).toStrictEqual([
    'elicitation/create',
  ]);
});

test('a row says how its method crosses wherever its sender has it', () => {
  for (const { method, from, since, until, olderClient, newerClient } of methods) {
    const older = hasHandshake(since);
    const newer = !hasHandshake(until);
    // The client of the pair `olderClient` has a handshake, its server has none.
    expect([method, olderClient !== undefined]).toStrictEqual([method, from === 'client' ? older : newer]);
    expect([method, newerClient !== undefined]).toStrictEqual([method, from === 'client' ? newer : older]);
  }
});

test('a method is looked up by pair and sender, and an unknown one has no crossing', () => {
  expect(crossingOf('olderClient', 'client', 'tools/call')).toBe('call');
  expect(crossingOf('newerClient', 'server', 'roots/list')).toBe('roots');
  expect(crossingOf('newerClient', 'client', 'roots/list')).toBeUndefined();
  expect(crossingOf('olderClient', 'client', 'constructor')).toBeUndefined();
});
