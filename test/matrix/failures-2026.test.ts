import { Client } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, test } from 'vitest';
import {
  connectPair,
  difficultClients,
  type DifficultClientName,
  tempTree,
} from '../../src/testing/index.ts';
import { buildV2 } from '../support/peers/fixtures/build-v2.ts';
import { playOn } from '../support/peers/play-on.ts';

const patience = 600;

interface Expected {
  readonly knows: string;
  /** Whether the root of the client counts. */
  readonly counts: boolean;
  /** How often a call is sent, and how often the client is asked in it. */
  readonly rounds: number;
}

const listed: Expected = { knows: 'the client listed roots', counts: true, rounds: 2 };
const failed: Expected = { knows: 'the client did not answer', counts: false, rounds: 2 };
const unasked: Expected = { knows: 'was not asked or cannot be', counts: false, rounds: 1 };

/** The cases of a client of 2026-07-28 whose calls come to an end, and what a server must make of them. */
const cases: Partial<Record<DifficultClientName, Expected>> = {
  modernCooperative: listed,
  modernUndeclared: unasked,
  modernGarbage: failed,
  modernWrapped: failed,
  modernRefuses: failed,
  modernNotFiles: listed,
  modernTenThousand: listed,
  modernUnasked: listed,
  modernNotifies: listed,
};

describe('a server of SDK v2 and a client of 2026-07-28 that', () => {
  test.each(Object.entries(cases).map(([name, expected]) => [aboutOf(name), name, expected] as const))(
    '%s',
    async (_about, name, { knows, counts, rounds }) => {
      using tree = tempTree(['home/.git/', 'app/.git/']);
      await using played = await play(name, tree.at('home'), tree.at('app'));
      for (const call of [1, 2]) {
        const report = await played.player.call('where');
        expect(report).toMatchObject({ outcome: 'result', rounds });
        const seen = report.result?.['structuredContent'] as { why: string; roots: string[] };
        expect(seen.why).toContain(knows);
        expect(seen.roots).toEqual([tree.at('home'), ...(counts ? [tree.at('app')] : [])]);
        expect(played.asks()).toBe(call * (rounds - 1));
      }
    },
  );

  test('never sends the call again, which ends that call and no other', async () => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    await using played = await play('modernSilent', tree.at('home'), tree.at('app'));
    const report = await played.player.call('where');
    expect(report).toMatchObject({ outcome: 'unanswered', rounds: 1 });
    expect(report.milliseconds).toBeLessThan(patience);
    expect(await played.player.call('counts')).toMatchObject({ outcome: 'result', rounds: 1 });
  });

  test('sends the call again without an answer, and is asked again, since it keeps nothing', async () => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    await using played = await play('modernForgetful', tree.at('home'), tree.at('app'));
    expect(await played.player.call('where')).toMatchObject({ outcome: 'unanswered', rounds: 4 });
  });

  test('declares roots with every second request, and is asked only in those', async () => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    await using played = await play('modernChanging', tree.at('home'), tree.at('app'));
    // Its first request was the introduction.
    expect(await played.player.call('roots')).toMatchObject({
      rounds: 1,
      result: { structuredContent: { roots: [tree.at('home')] } },
    });
    // Asked in the third, it takes the declaration back when it answers.
    expect(await played.player.call('roots')).toMatchObject({ outcome: 'result', rounds: 2 });
  });
});

describe('a real client of 2026-07-28', () => {
  test('that declared roots and has no handler loses its own call, and the next one is served', async () => {
    await using pair = await connect({});
    await expect(pair.client.callTool({ name: 'where' })).rejects.toMatchObject({
      code: 'CAPABILITY_NOT_SUPPORTED',
    });
    expect((await pair.client.callTool({ name: 'counts' })).isError).not.toBe(true);
  });

  test('whose handler throws loses its own call, and the next one is served', async () => {
    await using pair = await connect({
      answer: () => {
        throw new Error('no disk');
      },
    });
    await expect(pair.client.callTool({ name: 'where' })).rejects.toThrow('no disk');
    expect((await pair.client.callTool({ name: 'counts' })).isError).not.toBe(true);
  });

  test('whose handler hangs keeps the server from nothing', async () => {
    let asked = (): void => undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    await using pair = await connect({
      answer: async () => {
        asked();
        return new Promise<never>(() => undefined);
      },
    });
    void pair.client.callTool({ name: 'where' }).catch(() => undefined);
    await reached;
    expect((await pair.client.callTool({ name: 'counts' })).isError).not.toBe(true);
  });

  test('that answers no questions by itself is told that one is open', async () => {
    await using pair = await connect({ inputRequired: { autoFulfill: false } });
    await expect(pair.client.callTool({ name: 'where' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_RESULT_TYPE',
    });
  });

  test('is asked within prompts and resources, too', async () => {
    using tree = tempTree(['app/.git/']);
    await using pair = await connect({ answer: () => ({ roots: [{ uri: `file://${tree.at('app')}` }] }) });
    const prompt = await pair.client.getPrompt({ name: 'prompt', arguments: {} });
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'app' });
    const resource = await pair.client.readResource({ uri: 'fixture://project' });
    expect(resource.contents[0]).toMatchObject({ text: 'app' });
    expect(pair.asks()).toBe(2);
  });
});

async function play(name: string, home: string, app: string): ReturnType<typeof playOn> {
  const roots = [{ uri: `file://${app}` }];
  const options = { ceiling: [home], timeout: patience };
  return playOn('v2', difficultClients[name as DifficultClientName], { roots, patience, options });
}

interface RealClient {
  readonly answer?: () => { roots: { uri: string }[] } | Promise<never>;
  readonly inputRequired?: { autoFulfill: boolean };
}

async function connect({
  answer,
  inputRequired,
}: RealClient): Promise<AsyncDisposable & { client: Client; asks: () => number }> {
  const identity = { name: 'tester', version: '1.0.0' };
  const client = new Client(identity, {
    capabilities: { roots: {} },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    ...(inputRequired && { inputRequired }),
  });
  if (answer !== undefined) client.setRequestHandler('roots/list', answer);
  const server = (): unknown => buildV2({ options: { environment: {}, cwd: '/' } }).server;
  const pair = await connectPair({ serveStdio, server, client });
  return { client, asks: () => pair.asks(), [Symbol.asyncDispose]: async () => pair.close() };
}

function aboutOf(name: string): string {
  return difficultClients[name as DifficultClientName].about;
}
