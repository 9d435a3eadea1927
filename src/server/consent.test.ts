import { describe, expect, test } from 'vitest';
import { connectModern } from '../../test/attached/connect-modern.ts';
import type { ToolRun } from '../../test/attached/sdks.ts';
import { tempTree } from '../testing/temp-tree.ts';
import type { WireMessage } from '../testing/wires.ts';
import type { Rootward } from './settings/rootward.ts';

const policy = { allow: ['read' as const], ask: ['write' as const] };
const capabilities = { roots: {}, elicitation: {} };

const writeBoth =
  (rootward: Rootward): ToolRun =>
  async (context) => {
    const write = (path: string): Promise<string> =>
      rootward
        .access(context, { operation: 'write', path }, () => path)
        .catch((error: unknown) => String(error));
    return `${await write('one.txt')} ${await write('two.txt')}`;
  };

const messageOf = (request: WireMessage): string => (request['params'] as { message: string }).message;

describe('two questions of the policy in one call of 2026-07-28', () => {
  test('are two questions, and each answer belongs to its own', async () => {
    using tree = tempTree(['app/']);
    const asked: string[] = [];
    await using pair = await connectModern({
      roots: [tree.at('app')],
      capabilities,
      options: { policy },
      tools: { both: writeBoth },
    });
    const { text, rounds } = await pair.call(
      'both',
      {},
      {
        'elicitation/create': (request) => {
          asked.push(messageOf(request));
          return { action: 'accept', content: { allow: messageOf(request).includes('one.txt') } };
        },
      },
    );
    expect(text).toMatch(/^one.txt RootwardError: Cannot write "two.txt"/);
    expect(rounds.at(-1)).toEqual(['roots/list', 'elicitation/create', 'elicitation/create']);
    expect(new Set(asked).size).toBe(2);
  });

  test('are a no where nobody can be asked, and the client is not bothered', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({
      roots: [tree.at('app')],
      options: { policy },
      tools: { both: writeBoth },
    });
    const { text, rounds } = await pair.call('both');
    expect(text).toContain('nobody can be asked');
    expect(rounds).toEqual([['roots/list']]);
  });
});

test('a question shows what was asked for without letting it lie', async () => {
  using tree = tempTree(['app/']);
  const messages: string[] = [];
  await using pair = await connectModern({
    roots: [tree.at('app')],
    capabilities,
    options: { policy },
    tools: {
      odd: (rootward) => (context) =>
        rootward.access(context, { operation: 'write', path: 'a"\n\u202Etxt.exe' }, () => 'done'),
    },
  });
  await pair.call(
    'odd',
    {},
    {
      'elicitation/create': (request) => {
        messages.push(messageOf(request));
        return { action: 'decline' };
      },
    },
  );
  expect(messages).toHaveLength(1);
  expect(messages[0]).not.toMatch(/[\n\u202E]/);
});
