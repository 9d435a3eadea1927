import { describe, expect, test } from 'vitest';
import {
  difficultClients,
  type DifficultClientName,
  type Player,
  tempTree,
} from '../../src/testing/index.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { playOn } from '../support/peers/play-on.ts';

/** How long the server waits here, and how long where a client answers: a busy machine may keep it for a while. */
const patience = 1_000;
const longPatience = 20_000;
/** Milliseconds after which a call hangs. */
const hangs = 10_000;

interface Expected {
  /** What the server knows after the first and the second call, in the words of the workspace. */
  readonly knows: readonly [first: string, second: string];
  /** Whether the root of the client counts then. */
  readonly counts: readonly [first: boolean, second: boolean];
  /** How often the client was asked by then. */
  readonly asks: number;
}

const listed: Expected = {
  knows: ['the client listed roots', 'the client listed roots'],
  counts: [true, true],
  asks: 1,
};
const failed = (reason = ''): Expected => ({
  knows: [`the client did not answer (${reason}`, `the client did not answer (${reason}`],
  counts: [false, false],
  asks: 1,
});
const unasked: Expected = {
  knows: ['was not asked or cannot be', 'was not asked or cannot be'],
  counts: [false, false],
  asks: 0,
};

/** The cases of a client before 2026-07-28, and what a server must make of them. */
const cases: Partial<Record<DifficultClientName, Expected>> = {
  cooperative: listed,
  oldest: listed,
  undeclared: unasked,
  initializeOnly: unasked,
  silent: failed(),
  wrongId: failed(),
  nullResult: failed(),
  methodNotFound: failed(),
  invalidRequest: failed(),
  internalError: failed(),
  rootsMissing: failed('"its answer is not a list of roots"'),
  rootsNull: failed('"its answer is not a list of roots"'),
  empty: { ...unasked, knows: ['the client has no roots', 'the client has no roots'], asks: 1 },
  notFiles: listed,
  nullName: listed,
  oddNames: listed,
  oddUris: listed,
  extraFields: listed,
  duplicates: listed,
  asksMeanwhile: listed,
  answersTwice: listed,
  storm: { ...listed, asks: 2 },
  changesWhileAsked: { ...listed, asks: 2 },
  revokes: {
    knows: ['the client listed roots', 'the client took its roots back'],
    counts: [true, false],
    asks: 2,
  },
};

describe.each(sdkNames)('a server of SDK %s and a client that', (sdk) => {
  // Beside each other: most of their time is that of clients which do not answer.
  test.concurrent.each(
    Object.entries(cases).map(([name, expected]) => [aboutOf(name), name, expected] as const),
  )('%s', async (_about, name, { knows, counts, asks }) => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    const client = difficultClients[name as DifficultClientName];
    const roots = [{ uri: `file://${tree.at('app')}` }];
    const timeout = counts[0] ? longPatience : patience;
    const options = { ceiling: [tree.at('home')], timeout };
    await using played = await playOn(sdk, client, { roots, patience, options });
    for (const index of [0, 1] as const) {
      const { outcome, result, milliseconds } = await played.player.call('where');
      expect(outcome).toBe('result');
      const seen = result?.['structuredContent'] as { why: string; roots: string[] };
      expect(seen.why).toContain(knows[index]);
      expect(seen.roots).toEqual([tree.at('home'), ...(counts[index] ? [tree.at('app')] : [])]);
      expect(milliseconds).toBeLessThan(hangs);
    }
    // A client that let the server wait once is not asked again, so that it cannot let it wait.
    expect(played.asks()).toBe(asks);
    expect(JSON.stringify(played.records.filter(({ from }) => from === 'server'))).not.toContain('secret');
  });

  test('answers after the server has given up, whose answer counts from then on', async () => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    const options = { ceiling: [tree.at('home')], timeout: patience };
    await using played = await playOn(sdk, difficultClients.late, { roots, patience, options });
    const changed = new Promise((resolve) => played.rootward.on('change', resolve));
    expect(await granted(played.player)).toEqual([tree.at('home')]);
    await changed;
    expect(await granted(played.player)).toEqual([tree.at('home'), tree.at('app')]);
    expect(played.asks()).toBe(1);
  });

  test('changes its roots and does not say to what, and is asked again in every call, with less patience', async () => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    // Asked again it gets a fraction of that.
    const timeout = 3 * patience;
    const options = { ceiling: [tree.at('home')], timeout };
    await using played = await playOn(sdk, difficultClients.failsAfterChange, { roots, patience, options });
    expect(await granted(played.player)).toEqual([tree.at('home'), tree.at('app')]);
    for (const bound of [hangs, timeout, timeout]) {
      const { result, milliseconds } = await played.player.call('where');
      expect(result).toMatchObject({
        structuredContent: {
          why: expect.stringContaining('changed its roots and did not answer'),
          roots: [tree.at('home')],
        },
      });
      expect(milliseconds).toBeLessThan(bound);
    }
    expect(played.asks()).toBe(4);
  });

  test('changes its roots each time that it is asked, and cannot keep a call for ever', async () => {
    using tree = tempTree(['home/.git/', 'app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    const options = { ceiling: [tree.at('home')], timeout: patience };
    await using played = await playOn(sdk, difficultClients.neverStill, { roots, patience, options });
    const { result, milliseconds } = await played.player.call('where');
    expect(result).toMatchObject({ structuredContent: { why: expect.stringContaining('did not answer') } });
    expect(milliseconds).toBeLessThan(hangs);
  });

  test('hangs up when it is asked, which ends its call and no other', async () => {
    using tree = tempTree(['app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    await using other = await playOn(sdk, difficultClients.cooperative, { roots, patience });
    await using played = await playOn(sdk, difficultClients.vanishes, { patience });
    expect((await played.player.call('where')).outcome).toBe('closed');
    expect(await granted(other.player)).toEqual([tree.at('app')]);
  });

  test('lists ten thousand roots, most of them nowhere, and waits for them once', async () => {
    using tree = tempTree(['app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    await using played = await playOn(sdk, difficultClients.tenThousand, { roots });
    expect(await granted(played.player)).toEqual([tree.at('app')]);
    expect((await played.player.call('where')).milliseconds).toBeLessThan(hangs);
    expect(played.asks()).toBe(1);
  });

  test('names its folders when it introduces itself, and the operator named none', async () => {
    using tree = tempTree(['app/.git/']);
    const roots = [{ uri: `file://${tree.at('app')}` }];
    await using played = await playOn(sdk, difficultClients.initializeOnly, { roots });
    const { result } = await played.player.call('where');
    expect(result).toMatchObject({ structuredContent: { name: 'app', source: 'initialize' } });
    expect(played.asks()).toBe(0);
  });
});

/** What a call may reach. */
async function granted(player: Player): Promise<unknown> {
  const { result } = await player.call('roots');
  return (result?.['structuredContent'] as { roots?: unknown } | undefined)?.roots;
}

function aboutOf(name: string): string {
  return difficultClients[name as DifficultClientName].about;
}
