import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacySetup } from '../../../test/support/peers/connect-legacy.ts';
import { RootwardError } from '../../errors.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { SwitchQuestion } from '../settings/attach-options.ts';

describe('the remedy of the author', () => {
  const remedy = 'or call the operator';
  const hintOf = async (options: LegacySetup['options']): Promise<string> => {
    await using pair = await connectLegacy({
      capabilities: {},
      ...(options && { options }),
      tools: {
        hint: (rootward) => async (context) => {
          const error: unknown = await rootward.workspace(context).catch((reason: unknown) => reason);
          return RootwardError.is(error) ? `${error.code} ${error.hint}` : 'none';
        },
      },
    });
    return (await pair.call('hint')).text;
  };

  test.each([
    ['there is no project', {}, /^PROJECT_NOT_FOUND/],
    ['there are no roots', { merge: 'intersect' }, /^NO_ROOTS/],
  ] as const)('follows the usual remedy if %s', async (_case, options, code) => {
    const usual = await hintOf(options);
    expect(usual).toMatch(code);
    expect(await hintOf({ ...options, remedy })).toBe(`${usual}, ${remedy}`);
  });
});

describe('a person who can be asked elsewhere than in the client', () => {
  const advice = 'call switch_project with the absolute path, which asks the person';

  test.each([true, false])('is part of the advice: %s; and what the advice says works', async (open) => {
    using tree = tempTree(['app/']);
    const asked: SwitchQuestion[] = [];
    const askSwitch = {
      canAsk: async () => open,
      ask: async (question: SwitchQuestion) => {
        asked.push(question);
        return open;
      },
    };
    await using pair = await connectLegacy({
      capabilities: {},
      options: { tools: ['switch_project'], askSwitch },
    });
    const { text } = await pair.call('where');
    expect(text.includes(advice)).toBe(open);
    const { isError } = await pair.call('switch_project', { project: tree.at('app') });
    expect(isError).toBe(!open);
    expect(asked).toMatchObject([{ project: tree.at('app'), place: tree.at('app'), allowed: 'read, list' }]);
    expect((await pair.call('where')).text === 'app').toBe(open);
  });

  test.each<LegacySetup>([
    { options: { tools: ['switch_project'], merge: 'intersect' } },
    { options: { tools: ['why'] } },
  ])('is not part of it where a switch would not help: %j', async ({ options }) => {
    const askSwitch = { canAsk: async () => true, ask: async () => true };
    await using pair = await connectLegacy({ capabilities: {}, options: { ...options, askSwitch } });
    expect((await pair.call('where')).text).not.toContain('switch_project');
  });
});

test('a client that lists only a secret place is told which one, and that the operator can name it', async () => {
  using tree = tempTree(['me/.ssh/known = host', 'own/package.json = {}', 'own/a.txt']);
  const setup = { roots: [tree.at('me/.ssh')], options: { cwd: tree.at('own'), tools: ['why'] } } as const;
  await using pair = await connectLegacy(setup);
  const place = `"${toFileUri(tree.at('me/.ssh'))}"`;
  const reason = `${place}: keys and tokens are kept there, so only the operator can name it`;
  for (const path of ['a.txt', tree.at('own/a.txt'), tree.at('me/.ssh/known')]) {
    const { text, data } = await pair.call('read', { path });
    expect(data).toMatchObject({ error: { code: 'NO_ROOTS' } });
    expect(text.split('\n')).toEqual([
      `Cannot reach any file: ${reason}`,
      'Open a folder in the client, or start the server with directories',
    ]);
  }
  const { text } = await pair.call('why');
  expect(text).toContain(`Cannot reach any file: ${reason}`);
  expect(text).toContain("the client's roots count, and none of them can be used");
});
