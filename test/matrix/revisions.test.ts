import { describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../src/testing/index.ts';
import type { SdkName } from '../support/peers/fixtures/build-parts.ts';
import { playOn } from '../support/peers/play-on.ts';

const revisions: Readonly<Record<SdkName, readonly string[]>> = {
  v2: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
  v1: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
  'v1.12': ['2024-11-05', '2025-03-26'],
};
const cells = Object.entries(revisions).flatMap(([sdk, known]) =>
  known.map((revision) => ({ sdk: sdk as SdkName, revision })),
);

describe.each(cells)('a server of SDK $sdk in revision $revision', ({ sdk, revision }) => {
  test('asks once', async () => {
    using tree = tempTree(['app/.git/']);
    const client = { ...difficultClients.cooperative, revision };
    const roots = [{ uri: `file://${tree.at('app')}` }];
    await using played = await playOn(sdk, client, { roots });
    expect(played.player.greeting).toMatchObject({ kind: 'result', result: { protocolVersion: revision } });
    const seen = { structuredContent: { name: 'app', source: 'roots' } };
    expect((await played.player.call('where')).result).toMatchObject(seen);
    expect((await played.player.call('where')).result).toMatchObject(seen);
    expect(played.asks()).toBe(1);
  });
});

test('keys of the new revision in an older request change nothing', async () => {
  using tree = tempTree(['app/.git/']);
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const client = { ...difficultClients.cooperative, withCall: () => ({ _meta: envelope }) };
  const roots = [{ uri: `file://${tree.at('app')}` }];
  await using played = await playOn('v2', client, { roots });
  expect((await played.player.call('where')).result).toMatchObject({ structuredContent: { name: 'app' } });
  expect(played.records.some(({ message }) => message['method'] === 'roots/list')).toBe(true);
});
