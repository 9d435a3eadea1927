import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { connectPair, type Pair, tempTree } from '../../src/testing/index.ts';
import { type SdkName, sdkNames } from '../support/peers/sdks.ts';
import { build12 } from '../support/peers/fixtures/build-12.ts';
import { buildV1 } from '../support/peers/fixtures/build-v1.ts';
import { buildV2 } from '../support/peers/fixtures/build-v2.ts';

const builds = { v2: buildV2, v1: buildV1, 'v1.12': build12 } as const;

describe.each(sdkNames)('calls that share one question of a server of SDK %s', (sdk) => {
  test('get the same answer', async () => {
    using tree = tempTree(['app/.git/']);
    await using scene = await open(sdk, tree.at('app'));
    const calls = Array.from({ length: 50 }, async () => scene.where());
    await scene.asked(1);
    scene.answer();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['app']));
    expect(scene.pair.asks()).toBe(1);
  });

  test('do not lose it when the call that put it is cancelled', async () => {
    using tree = tempTree(['app/.git/']);
    await using scene = await open(sdk, tree.at('app'));
    const cancelled = new AbortController();
    const first = scene.where(cancelled.signal);
    await scene.asked(1);
    const second = scene.where();
    cancelled.abort();
    await expect(first).rejects.toThrow();
    await scene.asked(2);
    scene.answer();
    expect(await second).toBe('app');
  });
});

interface Scene extends AsyncDisposable {
  readonly pair: Pair;
  where(signal?: AbortSignal): Promise<string | undefined>;
  /** Waits until the client was asked this often. */
  asked(times: number): Promise<void>;
  /** Lets the client answer everything, from now on. */
  answer(): void;
}

async function open(sdk: SdkName, root: string): Promise<Scene> {
  const client = new Client({ name: 'tester', version: '1.0.0' }, { capabilities: { roots: {} } });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let asked = 0;
  client.setRequestHandler('roots/list', async () => {
    asked += 1;
    await released;
    return { roots: [{ uri: `file://${root}` }] };
  });
  const { server } = builds[sdk]({ options: { environment: {}, cwd: '/', timeout: 10_000 } });
  const pair = await connectPair({ server, client });
  return {
    pair,
    async where(signal) {
      const result = await client.callTool({ name: 'where' }, signal && { signal });
      return (result.structuredContent as { name?: string } | undefined)?.name;
    },
    asked: async (times) => expect.poll(() => asked).toBe(times),
    answer: release,
    [Symbol.asyncDispose]: async () => pair.close(),
  };
}
