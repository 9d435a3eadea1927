/** The verification list of seed 003, line by line: a cache that is asked without waiting. */
import { describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../src/testing/index.ts';
import type { SdkName } from '../support/peers/fixtures/build-parts.ts';
import { type Played, playOn } from '../support/peers/play-on.ts';

const sdks: readonly SdkName[] = ['v2', 'v1', 'v1.12'];
const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };

describe.each(sdks)('a server of SDK %s', (sdk) => {
  test('1: a path that is checked before any fetch is neither inside nor outside', async () => {
    await using scene = await open(sdk);
    expect(scene.played.rootward.contains(undefined, scene.inside)).toBeUndefined();
    expect(scene.played.asks()).toBe(0);
  });

  test('2: a tool that needs the roots sends roots/list, without parameters', async () => {
    await using scene = await open(sdk);
    await scene.played.player.call('roots');
    const ask = scene.played.records.find(({ message }) => message['method'] === 'roots/list');
    expect(ask?.message['params'] ?? {}).toEqual({});
    expect(scene.played.asks()).toBe(1);
  });

  test('3: the two roots that come back are kept', async () => {
    await using scene = await open(sdk);
    const { result } = await scene.played.player.call('roots');
    expect(result).toMatchObject({ structuredContent: { roots: scene.paths } });
    await scene.played.player.call('roots');
    expect(scene.played.asks()).toBe(1);
  });

  test('4: then a path is inside or outside, without waiting', async () => {
    await using scene = await open(sdk);
    await scene.played.player.call('where');
    const { rootward } = scene.played;
    expect(rootward.contains(undefined, scene.inside)).toBe(true);
    expect(rootward.contains(undefined, `file://${scene.inside}`)).toBe(true);
    expect(rootward.contains(undefined, '/var/log/x')).toBe(false);
  });

  test('5: list_changed gets no response, and makes what was kept void', async () => {
    await using scene = await open(sdk);
    await scene.played.player.call('where');
    const before = scene.played.records.filter(({ from }) => from === 'server').length;
    await scene.change();
    expect(scene.played.records.filter(({ from }) => from === 'server')).toHaveLength(before + 1);
  });

  test('6: a path that is checked after that is neither inside nor outside, until asked again', async () => {
    await using scene = await open(sdk);
    await scene.played.player.call('where');
    await scene.change();
    expect(scene.played.rootward.contains(undefined, scene.inside)).toBeUndefined();
    await scene.played.player.call('where');
    expect(scene.played.rootward.contains(undefined, scene.inside)).toBe(true);
    expect(scene.played.asks()).toBe(2);
  });
});

interface Scene extends AsyncDisposable {
  readonly played: Played;
  readonly paths: readonly string[];
  readonly inside: string;
  /** Says that the roots changed, and waits until the server has heard it. */
  readonly change: () => Promise<void>;
}

async function open(sdk: SdkName): Promise<Scene> {
  const tree = tempTree(['app/.git/', 'docs/.git/', 'app/x.lua']);
  const paths = [tree.at('app'), tree.at('docs')];
  const roots = paths.map((path) => ({ uri: `file://${path}` }));
  const played = await playOn(sdk, difficultClients.cooperative, { roots });
  return {
    played,
    paths,
    inside: tree.at('app', 'x.lua'),
    async change() {
      await played.notify(changed);
      // Messages keep their order: what is answered now was heard after it.
      await played.player.request('ping');
    },
    async [Symbol.asyncDispose]() {
      await played[Symbol.asyncDispose]();
      tree[Symbol.dispose]();
    },
  };
}
