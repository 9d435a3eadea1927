import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import { RootwardError } from '../../errors.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createWorkspaceKeeper } from '../compose/workspace-keeper.ts';
import type { OperatorWord } from './attach-options.ts';
import { failedInside, settingsKnown, settingsNow } from './operator.ts';
import { readSettings } from './settings.ts';

function rootsOf(...paths: readonly string[]): readonly Root[] {
  return parseRoots(paths).roots;
}

function word(revision: number, ...paths: readonly string[]): OperatorWord {
  return { revision, ceiling: rootsOf(...paths), policy: parsePolicy({}) };
}

describe('an operator with changing settings', () => {
  test('takes effect at the next call of a client without roots', async () => {
    using tree = tempTree(['app/a.txt = app', 'docs/b.txt = docs']);
    let now: OperatorWord = word(1, tree.at('app'));
    await using pair = await connectLegacy({ capabilities: {}, options: { operator: () => now } });
    expect((await pair.call('read', { path: tree.at('app', 'a.txt') })).text).toBe('app');
    expect((await pair.call('read', { path: tree.at('docs', 'b.txt') })).isError).toBe(true);
    now = word(2, tree.at('docs'));
    expect((await pair.call('read', { path: tree.at('docs', 'b.txt') })).text).toBe('docs');
    expect((await pair.call('read', { path: tree.at('app', 'a.txt') })).isError).toBe(true);
  });

  test('may be asynchronous', async () => {
    using tree = tempTree(['app/a.txt = app']);
    const operator = async (): Promise<OperatorWord> => word(1, tree.at('app'));
    await using pair = await connectLegacy({ capabilities: {}, options: { operator } });
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
  });

  test('takes effect in 2026-07-28, too', async () => {
    using tree = tempTree(['app/', 'docs/']);
    let now = word(1, tree.at('app'));
    await using pair = await connectModern({ capabilities: {}, options: { operator: () => now } });
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
    now = word(2, tree.at('docs'));
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
  });

  test('changes the rules without changing the roots', async () => {
    using tree = tempTree(['app/a.txt = app']);
    let now = word(1, tree.at('app'));
    await using pair = await connectLegacy({ capabilities: {}, options: { operator: () => now } });
    const read = (): Promise<{ isError: boolean }> => pair.call('read', { path: tree.at('app', 'a.txt') });
    expect((await read()).isError).toBe(false);
    now = { ...now, revision: 2, policy: parsePolicy({ allow: ['list'] }) };
    expect((await read()).isError).toBe(true);
  });

  test('may have no settings, and then the options count', async () => {
    using tree = tempTree(['app/', 'docs/']);
    let now: OperatorWord | undefined;
    const options = { ceiling: [tree.at('docs')], operator: () => now };
    await using pair = await connectLegacy({ capabilities: {}, options });
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
    now = word(1, tree.at('app'));
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
    now = undefined;
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
  });

  test('may withdraw everything: then nothing is allowed, not even the detected project', async () => {
    using tree = tempTree(['own/package.json = {}', 'app/']);
    let now = word(1, tree.at('app'));
    const options = { cwd: tree.at('own'), operator: () => now };
    await using pair = await connectLegacy({ capabilities: {}, options });
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
    now = word(2);
    expect((await pair.call('paths')).text).toBe('');
  });

  test('allows nothing if it fails', async () => {
    using tree = tempTree(['own/package.json = {}', 'own/a.txt']);
    const operator = (): never => {
      throw new Error('gone');
    };
    await using pair = await connectLegacy({ capabilities: {}, options: { cwd: tree.at('own'), operator } });
    expect((await pair.call('read', { path: tree.at('own', 'a.txt') })).isError).toBe(true);
  });

  test('is asked once per call, which keeps its snapshot', async () => {
    using tree = tempTree(['app/a.txt = app', 'docs/']);
    let now = word(1, tree.at('app'));
    await using pair = await connectLegacy({
      capabilities: {},
      options: { operator: () => now },
      tools: {
        twice: (rootward) => async (context) => {
          const before = await rootward.roots(context);
          now = word(2, tree.at('docs'));
          const after = await rootward.roots(context);
          return [before, after].map(([root]) => root?.name).join(' ');
        },
      },
    });
    expect((await pair.call('twice')).text).toBe('app app');
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
  });

  test('takes effect if workspaces are kept between requests', async () => {
    using tree = tempTree(['app/', 'docs/']);
    const keeper = createWorkspaceKeeper();
    let now = word(1, tree.at('app'));
    const setup = { capabilities: {}, sessionId: 's', options: { keeper, operator: () => now } };
    await using first = await connectLegacy(setup);
    expect((await first.call('paths')).text).toBe(tree.at('app'));
    now = word(2, tree.at('docs'));
    await using second = await connectLegacy(setup);
    expect((await second.call('paths')).text).toBe(tree.at('docs'));
    keeper.close();
  });
});

test('synchronously, only the last settings are known', async () => {
  const settings = readSettings({ ceiling: ['/srv'], operator: () => word(7, '/app') });
  expect(settingsKnown(settings)).toBeUndefined();
  expect(await settingsNow(settings)).toMatchObject({ operatorRevision: 7, ceiling: [{ path: '/app' }] });
  expect(settingsKnown(settings)).toMatchObject({ operatorRevision: 7 });
  const plain = readSettings({ ceiling: ['/srv'] });
  expect(settingsKnown(plain)).toBe(plain);
  expect(await settingsNow(plain)).toBe(plain);
});

test('reports an unexpected error by an id, with the details in a warning', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', hear);
  const error = failedInside(new Error("ENOENT: no such file, open '/home/op/.config/x'"));
  expect(error).toMatchObject({ code: 'INTERNAL' });
  expect(JSON.stringify(error)).not.toContain('/home/op');
  // Node emits warnings in the next turn, and another test may have caused one, too.
  await setImmediate();
  process.off('warning', hear);
  const warning = warnings.find(({ message }) => message.includes('/home/op/.config/x'));
  expect(error.message).toContain(/\(([\da-f-]{36})\)/.exec(warning?.message ?? '')?.[1] ?? 'no number');
});

test('leaves a refusal unchanged', () => {
  const refusal = new RootwardError('CLOSED', { root: 'app' });
  expect(failedInside(refusal)).toBe(refusal);
});
