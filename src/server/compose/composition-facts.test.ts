import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { createClientRoots } from '../connection/client-roots.ts';
import { createFactsAtHand, type FactsAtHand, factsOf } from './composition-facts.ts';
import { type Connection, createConnection } from '../connection/connection.ts';
import { createMemory } from '../connection/connection-memory.ts';
import { lowServerOf } from '../sdk/protocol-server.ts';

const empty = { state: 'empty', revoked: false } as const;
const initialize = { capabilities: { roots: {} } };

function open(): { readonly connection: Connection; readonly atHand: FactsAtHand } {
  const memory = createMemory({ initialize });
  const server = lowServerOf(new McpServer({ name: 's', version: '1' }));
  const connection = createConnection({ server, transport: {}, memory: () => memory, overHttp: false });
  const roots = createClientRoots(connection, { patience: 5, answered: () => undefined });
  return { connection, atHand: createFactsAtHand(connection, roots) };
}

test('another answer, word of the operator, memory or way to come here are other facts', async () => {
  const { connection } = open();
  const changes: readonly (() => readonly unknown[] | Promise<readonly unknown[]>)[] = [
    () => factsOf(connection, { state: 'unsupported' }, 1),
    () => factsOf(connection, empty, 2),
    async () => {
      await connection.memory.keepSwitched({ text: 'app' });
      return factsOf(connection, empty, 1);
    },
    () => {
      connection.sawHttp();
      return factsOf(connection, empty, 1);
    },
  ];
  for (const change of changes) {
    const before = factsOf(connection, empty, 1);
    expect(await change()).not.toEqual(before);
  }
});

test('none are at hand until the client was asked, nor after it announced a change', async () => {
  const { connection, atHand } = open();
  expect(atHand()).toBeUndefined();
  await connection.memory.keepAnswer(0, empty);
  expect(atHand()).toEqual(factsOf(connection, empty, undefined));
  connection.invalidate();
  expect(atHand()).toBeUndefined();
});

test('those at hand are one list, until one of them is another', async () => {
  const { connection, atHand } = open();
  await connection.memory.keepAnswer(0, empty);
  const before = atHand();
  expect(atHand()).toBe(before);
  connection.sawHttp();
  expect(atHand()).not.toEqual(before);
  const overHttp = atHand();
  await connection.memory.keepSwitched({ text: 'app' });
  expect(atHand()).not.toEqual(overHttp);
});
