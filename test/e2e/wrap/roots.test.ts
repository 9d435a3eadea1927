import { describe, expect, test } from 'vitest';
import { toFileUri } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { eventually } from '../../support/http/eventually.ts';
import { type Wrapped, wrapHere } from '../../support/peers/wrap-here.ts';

/** The paths that the server is told. */
async function told(wrapped: Wrapped): Promise<readonly string[]> {
  const { roots } = JSON.parse(await wrapped.call('roots')) as { roots: readonly { uri: string }[] };
  return roots.map(({ uri }) => uri);
}

const declared = { roots: { listChanged: true } };

describe('the server is told', () => {
  test('the roots of a client that lists them, in clean spelling and without bad entries; it is asked once', async () => {
    using tree = tempTree(['app/', 'a b/']);
    const list = [
      `${tree.at('app')}/`,
      'vscode-remote://x/y',
      toFileUri(tree.at('a b')),
      toFileUri(tree.at('app')),
    ];
    await using wrapped = wrapHere({ capabilities: declared, list });
    await wrapped.initialize();
    expect(await told(wrapped)).toEqual([toFileUri(tree.at('app')), toFileUri(tree.at('a b'))]);
    expect(await told(wrapped)).toHaveLength(2);
    expect(wrapped.asked).toEqual(['roots/list']);
  });

  test('the detected project, if the client has no roots; the client is never sent a request', async () => {
    using tree = tempTree(['app/package.json = {"name":"found"}', 'app/src/']);
    await using wrapped = wrapHere({ roots: { cwd: tree.at('app/src') } });
    await wrapped.initialize();
    expect(await told(wrapped)).toEqual([toFileUri(tree.at('app'))]);
    expect(wrapped.asked).toEqual([]);
    const { initialize } = JSON.parse(await wrapped.call('said')) as {
      initialize: { capabilities: unknown };
    };
    expect(initialize.capabilities).toEqual({ roots: { listChanged: true } });
  });

  test('those of the operator and those of the client, as the mode says', async () => {
    using tree = tempTree(['mine/', 'mine/in/', 'other/']);
    const list = [toFileUri(tree.at('mine/in')), toFileUri(tree.at('other'))];
    for (const [merge, names] of [
      ['union', ['mine', 'mine/in', 'other']],
      ['intersect', ['mine/in']],
      ['operator', ['mine']],
      ['client', ['mine/in', 'other']],
    ] as const) {
      const roots = { ceiling: [tree.at('mine')], merge };
      await using wrapped = wrapHere({ capabilities: declared, list, roots });
      await wrapped.initialize();
      expect((await told(wrapped)).toSorted()).toEqual(names.map((name) => toFileUri(tree.at(name))));
    }
  });

  test('a project in place of the roots of a client that declares them and does not know the method', async () => {
    using tree = tempTree(['app/package.json = {}']);
    await using wrapped = wrapHere({ capabilities: { roots: true }, roots: { cwd: tree.at('app') } });
    wrapped.answers.set('roots/list', () => ({ error: { code: -32_601, message: 'no' } }));
    await wrapped.initialize();
    expect(await told(wrapped)).toEqual([toFileUri(tree.at('app'))]);
  });
});

describe('after a change of the roots', () => {
  test('a thousand announcements lead to one question, and to one notification, if the list differs', async () => {
    using tree = tempTree(['one/', 'two/']);
    await using wrapped = wrapHere({ capabilities: declared, list: [toFileUri(tree.at('one'))] });
    await wrapped.initialize();
    await told(wrapped);
    const storm = async (asks: number): Promise<readonly string[]> => {
      for (let count = 0; count < 1_000; count += 1) wrapped.notify('notifications/roots/list_changed');
      await eventually(() => expect(wrapped.asked).toHaveLength(asks));
      await told(wrapped);
      const { heard } = JSON.parse(await wrapped.call('said')) as { heard: readonly string[] };
      return heard.filter((method) => method === 'notifications/roots/list_changed');
    };
    expect(await storm(2)).toHaveLength(0);
    wrapped.list(toFileUri(tree.at('two')));
    expect(await storm(3)).toHaveLength(1);
    expect(await told(wrapped)).toEqual([toFileUri(tree.at('two'))]);
  });

  test('revoked roots are gone, and nothing takes their place', async () => {
    using tree = tempTree(['one/', 'app/package.json = {}']);
    await using wrapped = wrapHere({
      capabilities: declared,
      list: [toFileUri(tree.at('one'))],
      roots: { cwd: tree.at('app') },
    });
    await wrapped.initialize();
    expect(await told(wrapped)).toHaveLength(1);
    wrapped.list();
    wrapped.notify('notifications/roots/list_changed');
    await eventually(async () => expect(await told(wrapped)).toEqual([]));
  });
});

describe('a server that takes directories as arguments', () => {
  test('gets them in its command line, a variable and its directory, and is restarted when they change', async () => {
    using tree = tempTree(['one/', 'two/', 'guess/package.json = {}']);
    const [one, two] = [tree.at('one'), tree.at('two')];
    await using wrapped = wrapHere({
      args: ['{roots}', '--in={root}', '--each={roots}'],
      envRoot: ['PROJECT'],
      chdir: true,
      mode: 'roots-as-tools',
      capabilities: { ...declared },
      list: [toFileUri(one), toFileUri(two)],
      roots: { cwd: tree.at('guess') },
    });
    await wrapped.initialize();
    const said = await Promise.all([
      wrapped.call('args'),
      wrapped.call('env', { name: 'PROJECT' }),
      wrapped.call('cwd'),
    ]);
    expect(said).toEqual([
      JSON.stringify([one, two, `--in=${one}`, `--each=${one}`, `--each=${two}`]),
      one,
      one,
    ]);
    await wrapped.request('tools/list');
    await wrapped.request('logging/setLevel', { level: 'debug' });
    await wrapped.request('resources/subscribe', { uri: 'x:1' });
    await wrapped.request('resources/subscribe', { uri: 'x:2' });
    await wrapped.request('resources/unsubscribe', { uri: 'x:1' });
    wrapped.list(toFileUri(two));
    wrapped.notify('notifications/roots/list_changed');
    await wrapped.find(({ method }) => method === 'notifications/tools/list_changed');
    expect(JSON.parse(await wrapped.call('args'))).toEqual([two, `--in=${two}`, `--each=${two}`]);
    const { initialize, heard } = JSON.parse(await wrapped.call('said')) as {
      initialize: object;
      heard: readonly string[];
    };
    expect(initialize).toMatchObject({ clientInfo: { name: 'raw' } });
    expect(heard.slice(0, 4)).toEqual([
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'resources/subscribe',
    ]);
  });

  test('is not started without a root that it needs, and the client is told the remedy', async () => {
    await using wrapped = wrapHere({ args: ['{root}'] });
    const { error } = await wrapped.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    });
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('--root') });
    expect(await wrapped.connection.ended).toMatchObject({ code: undefined });
  });

  test('ends when its roots are revoked, and starts again with new ones', async () => {
    using tree = tempTree(['one/', 'two/']);
    await using wrapped = wrapHere({
      args: ['{root}'],
      capabilities: declared,
      list: [toFileUri(tree.at('one'))],
      roots: { ceiling: [tree.at('one')], merge: 'intersect' },
    });
    await wrapped.initialize();
    expect(await wrapped.call('args')).toBe(JSON.stringify([tree.at('one')]));
    wrapped.list();
    wrapped.notify('notifications/roots/list_changed');
    await eventually(async () => expect(await wrapped.call('args')).toContain('--root'));
    wrapped.list(toFileUri(tree.at('one')));
    wrapped.notify('notifications/roots/list_changed');
    await eventually(async () => expect(await wrapped.call('args')).toBe(JSON.stringify([tree.at('one')])));
  });
});

test('a question of a process that was replaced is not answered to the next one', async () => {
  using tree = tempTree(['one/', 'two/']);
  await using wrapped = wrapHere({
    args: ['{root}'],
    capabilities: { ...declared, elicitation: {} },
    list: [toFileUri(tree.at('one'))],
    roots: { ceiling: [tree.at('one'), tree.at('two')], merge: 'intersect' },
  });
  await wrapped.initialize();
  wrapped.write(
    '{"jsonrpc":"2.0","id":"q1","method":"tools/call","params":{"name":"ask","arguments":{"method":"elicitation/create","params":{"n":1}}}}\n',
  );
  const first = await wrapped.find(({ method }) => method === 'elicitation/create');
  wrapped.notify('notifications/cancelled', { requestId: 'q1' });
  wrapped.list(toFileUri(tree.at('two')));
  wrapped.notify('notifications/roots/list_changed');
  await eventually(async () => expect(await wrapped.call('args')).toBe(JSON.stringify([tree.at('two')])));
  const answer = wrapped.call('ask', { method: 'elicitation/create', params: { n: 2 } });
  const second = await wrapped.find(
    ({ method, params }) => method === 'elicitation/create' && params?.['n'] === 2,
  );
  expect(second.id).not.toBe(first.id);
  wrapped.write(`{"jsonrpc":"2.0","id":${JSON.stringify(first.id)},"result":{"action":"late"}}\n`);
  wrapped.write(`{"jsonrpc":"2.0","id":${JSON.stringify(second.id)},"result":{"action":"right"}}\n`);
  expect(JSON.parse(await answer)).toMatchObject({ result: { action: 'right' } });
});
