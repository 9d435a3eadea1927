import { describe, expect, test } from 'vitest';
import type { Move } from './difficult-client.ts';
import { difficultClients } from './difficult-clients.ts';

const roots = [{ uri: 'file:///srv/app', name: 'app' }, { uri: 'file:///srv/docs' }];
const ask = (number: number): { number: number; roots: typeof roots; patience: number } => ({
  number,
  roots,
  patience: 100,
});

describe.each(Object.entries(difficultClients))('%s', (_name, client) => {
  test('has its own description', () => {
    expect(client.about).toMatch(/^[a-z]/);
    expect(Object.values(difficultClients).filter(({ about }) => about === client.about)).toHaveLength(1);
  });

  test('uses a real protocol revision', () => {
    expect(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']).toContain(client.revision);
  });

  test('makes moves that can be serialized', () => {
    const moves: readonly Move[] = [...client.whenAsked(ask(1)), ...client.whenAsked(ask(2))];
    expect(JSON.parse(JSON.stringify(moves))).toEqual(moves);
  });
});

test('only those described so declare no roots', () => {
  const without = Object.entries(difficultClients).filter(
    ([, { capabilities }]) => !('roots' in capabilities(2)),
  );
  expect(without.map(([name]) => name)).toEqual([
    'undeclared',
    'initializeOnly',
    'modernUndeclared',
    'modernChanging',
  ]);
});

test('a client with many roots includes the good ones', () => {
  const [move] = difficultClients.tenThousand.whenAsked(ask(1));
  const listed = (move as { result: { roots: unknown[] } }).result.roots;
  expect(listed).toHaveLength(10_002);
  expect(listed).toEqual(expect.arrayContaining(roots));
});

test('a late client is later than the timeout of the server', () => {
  expect(difficultClients.late.whenAsked(ask(1))[0]).toEqual({ move: 'wait', milliseconds: 120 });
});
