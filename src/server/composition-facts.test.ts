import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { createFacts, type FactsOf } from './composition-facts.ts';
import { type Connection, createConnection } from './connection.ts';
import { createMemory } from './connection-memory.ts';
import { lowServerOf } from './protocol-server.ts';

const empty = { state: 'empty', revoked: false } as const;

function open(): { readonly connection: Connection; readonly factsOf: FactsOf } {
  const memory = createMemory();
  const server = lowServerOf(new McpServer({ name: 's', version: '1' }));
  const connection = createConnection({ server, transport: {}, memory: () => memory, overHttp: false });
  return { connection, factsOf: createFacts(connection) };
}

test('equal facts are one list', () => {
  const { factsOf } = open();
  expect(factsOf(empty, 1)).toBe(factsOf(empty, 1));
});

test('another answer, word of the operator, memory or way to come here is another list', async () => {
  const { connection, factsOf } = open();
  const changes: readonly (() => readonly unknown[] | Promise<readonly unknown[]>)[] = [
    () => factsOf({ state: 'unsupported' }, 1),
    () => factsOf(empty, 2),
    async () => {
      await connection.memory.keepSwitched({ text: 'app' });
      return factsOf(empty, 1);
    },
    () => {
      connection.sawHttp();
      return factsOf(empty, 1);
    },
  ];
  for (const change of changes) {
    const before = factsOf(empty, 1);
    expect(await change()).not.toEqual(before);
  }
});
