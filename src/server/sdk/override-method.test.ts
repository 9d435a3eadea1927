import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { overrideMethod } from './override-method.ts';
import { type LowServer, lowServerOf } from './protocol-server.ts';

const transport = { start: async () => undefined };

/** A server whose `connect` says who was there. */
function serverOf(said: string[]): LowServer {
  class Server {
    async connect(): Promise<void> {
      said.push('original');
    }
  }
  return new Server() as unknown as LowServer;
}

const saying =
  (said: string[], word: string) =>
  (before: LowServer['connect']): LowServer['connect'] =>
  async (connected) => {
    said.push(word);
    await before(connected);
  };

test('the new method goes first, and the old one keeps its object', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  overrideMethod(server, 'connect', saying(said, 'ours'));
  await server.connect(transport);
  expect(said).toEqual(['ours', 'original']);
});

test('it can be undone, and the object is as it was', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  const undo = overrideMethod(server, 'connect', saying(said, 'ours'));
  undo();
  await server.connect(transport);
  expect(said).toEqual(['original']);
  expect(Object.hasOwn(server, 'connect')).toBe(false);
});

test('the second one undone gives the first one back', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  overrideMethod(server, 'connect', saying(said, 'first'));
  overrideMethod(server, 'connect', saying(said, 'second'))();
  await server.connect(transport);
  expect(said).toEqual(['first', 'original']);
});

test('the first one is not taken from under the second one', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  const undoFirst = overrideMethod(server, 'connect', saying(said, 'first'));
  overrideMethod(server, 'connect', saying(said, 'second'));
  undoFirst();
  await server.connect(transport);
  expect(said).toEqual(['second', 'first', 'original']);
});

test('it works on a real server', () => {
  const low = lowServerOf(new McpServer({ name: 's', version: '1' }));
  const undo = overrideMethod(low, 'connect', (connect) => connect);
  expect(Object.hasOwn(low, 'connect')).toBe(true);
  undo();
  expect(Object.hasOwn(low, 'connect')).toBe(false);
});
