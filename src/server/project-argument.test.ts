import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { callTool, connectServer, introduce, nowhere } from '../../test/support/peers/connect-legacy.ts';
import { openRawClient } from '../../test/support/peers/raw-client.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { linkWires } from '../testing/wires.ts';
import { attach } from './attach.ts';
import { projectArgument } from './project-argument.ts';

test('adds two optional texts to a schema, in any version of Zod', () => {
  const schema = z.object({ query: z.string(), ...projectArgument(z) });
  expect(schema.parse({ query: 'x' })).toEqual({ query: 'x' });
  expect(schema.parse({ query: 'x', cwd: '/a', project: '/b' })).toEqual({
    query: 'x',
    cwd: '/a',
    project: '/b',
  });
  expect(schema.safeParse({ query: 'x', cwd: 5 }).success).toBe(false);
  const older = z3.object({ ...projectArgument(z3) });
  expect(older.parse({ cwd: '/a' })).toEqual({ cwd: '/a' });
});

test('a tool with it uses the project its caller names, but none outside', async () => {
  using tree = tempTree(['one/', 'two/', 'out/']);
  const server = new McpServer({ name: 's', version: '1' });
  await using rootward = attach(server, { ...nowhere, argument: true });
  const inputSchema = z.object({ query: z.string(), ...projectArgument(z) });
  server.registerTool('search', { inputSchema }, async ({ query }, context) => {
    const { project } = await rootward.workspace(context);
    return { content: [{ type: 'text', text: `${query} in ${project.name}` }] };
  });
  const wires = linkWires();
  await connectServer({ server, tool: () => undefined }, wires.server);
  const client = await openRawClient(wires.client);
  client.answers.set('roots/list', () => ({
    roots: ['one', 'two'].map((name) => ({ uri: `file://${tree.at(name)}` })),
  }));
  await introduce(client);
  const search = (input: object) => callTool(client, { name: 'search', input: { query: 'x', ...input } });
  expect((await search({})).text).toBe('x in one');
  expect((await search({ cwd: tree.at('two') })).text).toBe('x in two');
  expect((await search({ project: `file://${tree.at('two')}` })).text).toBe('x in two');
  expect((await search({ cwd: tree.at('out') })).isError).toBe(true);
  const { result } = await client.request('tools/list');
  expect(JSON.stringify(result)).toContain('Directory within the roots to work in');
  await client.close();
});
