/** The verification list of seed 002, line by line: a server over stdio that asks by itself and follows. */
import { describe, expect, test } from 'vitest';
import {
  difficultClients,
  playClient,
  type Player,
  tempTree,
  type WireMessage,
} from '../../src/testing/index.ts';
import { openStdioWire } from '../../src/testing/stdio-wire.ts';
import { serverCommand } from '../support/peers/connect-stdio.ts';
import type { SdkName } from '../support/peers/fixtures/build-parts.ts';
import { playOn } from '../support/peers/play-on.ts';

const sdks: readonly SdkName[] = ['v2', 'v1', 'v1.12'];

describe.each(sdks)('a server of SDK %s that asks by itself and follows', (sdk) => {
  test('queries roots after initialized, and a single root becomes the directory', async () => {
    using tree = tempTree(['app/.git/']);
    await using stage = await start(sdk, { lists: () => [tree.at('app')] });
    await expect.poll(() => stage.asked()).toBe(1);
    await expect.poll(() => cwd(stage.player)).toBe(tree.at('app'));
    expect(stage.player.asks).toMatchObject([{ method: 'roots/list', call: 0 }]);
  });

  test('sets the directory to the first of several roots that is there', async () => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    await using stage = await start(sdk, {
      lists: () => [tree.at('gone'), tree.at('docs'), tree.at('app')],
    });
    await expect.poll(() => cwd(stage.player)).toBe(tree.at('docs'));
  });

  test('queries again after list_changed and updates the directory', async () => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    let listed = [tree.at('app')];
    await using stage = await start(sdk, { lists: () => listed });
    await expect.poll(() => cwd(stage.player)).toBe(tree.at('app'));
    listed = [tree.at('docs')];
    await stage.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    await expect.poll(() => cwd(stage.player)).toBe(tree.at('docs'));
    expect(stage.asked()).toBe(2);
  });

  test.each([
    ['no roots', []],
    ['a root that does not exist', ['/nowhere/at/all']],
    ['a root that cannot be read', ['%zz']],
  ])('leaves the directory as it is with %s', async (_case, lists) => {
    using tree = tempTree(['start/']);
    await using stage = await start(sdk, { lists: () => lists, cwd: tree.at('start') });
    await expect.poll(() => stage.asked()).toBe(1);
    expect((await stage.player.call('roots')).outcome).toBe('result');
    expect(await cwd(stage.player)).toBe(tree.at('start'));
  });

  test('does not query a client without the capability', async () => {
    using tree = tempTree(['start/']);
    await using stage = await start(sdk, {
      lists: () => [tree.path],
      cwd: tree.at('start'),
      declares: false,
    });
    expect((await stage.player.call('roots')).outcome).toBe('result');
    expect(stage.asked()).toBe(0);
    expect(await cwd(stage.player)).toBe(tree.at('start'));
  });
});

describe.each(sdks)('the interleaving, with a server of SDK %s', (sdk) => {
  test('a tools/list that was buffered before the answer is answered, and so is the question', async () => {
    using tree = tempTree(['app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    await using played = await playOn(sdk, difficultClients.asksMeanwhile, { roots });
    expect((await played.player.call('where')).result).toMatchObject({ structuredContent: { name: 'app' } });
    const meanwhile = played.records.find(
      ({ from, message }) => from === 'server' && message['id'] === 'meanwhile',
    );
    expect(meanwhile?.message).toMatchObject({ result: { tools: expect.any(Array) } });
  });

  test('a change while asking makes the answer void, and is no second question at the same time', async () => {
    using tree = tempTree(['app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    await using played = await playOn(sdk, difficultClients.changesWhileAsked, { roots });
    expect((await played.player.call('where')).result).toMatchObject({
      structuredContent: { roots: [tree.at('app')] },
    });
    const order = played.records.flatMap(({ message }) => {
      if (message['method'] === 'roots/list') return ['asked'];
      return (message['result'] as { roots?: unknown } | undefined)?.roots === undefined ? [] : ['answered'];
    });
    expect(order).toEqual(['asked', 'answered', 'asked', 'answered']);
  });
});

interface Part {
  readonly lists: () => readonly string[];
  readonly cwd?: string;
  readonly declares?: boolean;
}

interface Stage extends AsyncDisposable {
  readonly player: Player;
  readonly asked: () => number;
  readonly send: (message: WireMessage) => Promise<void>;
}

async function start(sdk: SdkName, { lists, cwd: directory = '/', declares = true }: Part): Promise<Stage> {
  const command = serverCommand(sdk, { eager: true, chdir: true });
  const wire = openStdioWire({ ...command, cwd: directory });
  const client = {
    ...difficultClients[declares ? 'cooperative' : 'undeclared'],
    whenAsked: () => [
      { move: 'answer', result: { roots: lists().map((path) => ({ uri: `file://${path}` })) } } as const,
    ],
  };
  const player = await playClient(client, wire);
  return {
    player,
    asked: () => player.asks.filter(({ method }) => method === 'roots/list').length,
    send: async (message) => wire.send(message),
    [Symbol.asyncDispose]: async () => player.close(),
  };
}

async function cwd(player: Player): Promise<unknown> {
  const { result } = await player.call('cwd');
  return (result?.['structuredContent'] as { cwd?: unknown } | undefined)?.cwd;
}
