import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../test/support/peers/connect-modern.ts';
import { sdkNames, type ToolRun } from '../../test/support/peers/sdks.ts';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import { createMemorySink } from '../audit/sink.ts';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import type { WireMessage } from '../testing/wires.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { projectFirst } from './create-rootward.ts';
import type { RootsChange, Rootward } from './settings/rootward.ts';

const writeTool =
  (rootward: Rootward): ToolRun =>
  async (context, { path = '' }) =>
    rootward.access(context, { operation: 'write', path }, async ({ boundary, relative }) => {
      await boundary.write(relative, 'written');
      return 'done';
    });

describe('access', () => {
  test.each(sdkNames)('reads files in the roots, and refuses the rest: SDK %s', async (sdk) => {
    using tree = tempTree(['app/a.txt = inside', 'out/a.txt = outside', 'app/link => ../out/a.txt']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    const read = async (path: string): Promise<string> => (await pair.call('read', { path })).text;
    expect(await read(tree.at('app/a.txt'))).toBe('inside');
    expect(await read(toFileUri(tree.at('app/a.txt')))).toBe('inside');
    expect(await read('a.txt')).toBe('inside');
    for (const path of [tree.at('out/a.txt'), 'link', tree.at('app/link')]) {
      const place = path === 'link' ? tree.at('app/link') : path;
      expect(readFileSync(place, 'utf8')).toBe('outside');
      expect(await read(path)).toMatch(/^Cannot .*outside the roots/);
    }
    for (const path of ['../out/a.txt', tree.at('app/../out/a.txt')]) {
      const { isError, text } = await pair.call('read', { path });
      expect(isError).toBe(true);
      expect(text).not.toContain('outside\n');
    }
  });

  test('reads a relative path from the project, however many roots there are', async () => {
    using tree = tempTree(['one/a.txt = first', 'two/a.txt = second']);
    await using pair = await connectLegacy({
      roots: [tree.at('one'), tree.at('two')],
      options: { tools: true },
    });
    expect((await pair.call('read', { path: 'a.txt' })).text).toBe('first');
    await pair.call('switch_project', { project: 'two' });
    expect((await pair.call('read', { path: 'a.txt' })).text).toBe('second');
  });

  test.each([[['a/src/x.txt']], [['a/gone', 'a/src/x.txt']]])(
    'reaches a listed file and nothing else, also not the project around the server: %j',
    async (names) => {
      using tree = tempTree(['a/src/x.txt = listed', 'a/src/y.txt', 'own/package.json = {}', 'own/z.txt']);
      await using pair = await connectLegacy({
        roots: names.map((name) => tree.at(name)),
        options: { cwd: tree.at('own'), policy: { allow: ['read', 'write'] } },
        tools: { write: writeTool },
      });
      expect((await pair.call('paths')).text).toBe(tree.at('a/src/x.txt'));
      for (const path of [tree.at('a/src/x.txt'), 'x.txt', './x.txt'])
        expect((await pair.call('read', { path })).text).toBe('listed');
      for (const path of [tree.at('a/src/y.txt'), 'y.txt', tree.at('own/z.txt'), 'z.txt'])
        for (const tool of ['read', 'write'])
          expect((await pair.call(tool, { path })).data).toMatchObject({ error: { code: 'OUTSIDE_ROOTS' } });
      expect((await pair.call('write', { path: 'x.txt' })).text).toBe('done');
      expect(readFileSync(tree.at('a/src/x.txt'), 'utf8')).toBe('written');
      expect(readdirSync(tree.at('own')).toSorted()).toEqual(['package.json', 'z.txt']);
    },
  );

  test('reads nothing by a relative path if the named project is refused', async () => {
    using tree = tempTree(['app/a.txt = inside', 'evil/a.txt = outside']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: { argument: true } });
    expect((await pair.call('read', { path: 'a.txt', cwd: tree.at('app') })).text).toBe('inside');
    const refused = await pair.call('read', { path: 'a.txt', cwd: tree.at('evil') });
    expect(refused.data).toMatchObject({ error: { code: 'OUTSIDE_ROOTS' } });
    expect(readFileSync(tree.at('evil/a.txt'), 'utf8')).toBe('outside');
  });

  test('does what the policy allows, and records each decision with the caller', async () => {
    using tree = tempTree(['app/a.txt', 'app/.env = SECRET=1']);
    const audit = createMemorySink();
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      clientName: 'somebody',
      options: { audit },
      tools: { write: writeTool },
    });
    await pair.call('read', { path: 'a.txt' });
    expect((await pair.call('write', { path: 'a.txt' })).data).toMatchObject({ error: { code: 'DENIED' } });
    expect((await pair.call('read', { path: '.env' })).data).toMatchObject({ error: { code: 'DENIED' } });
    expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('app/a.txt');
    expect(audit.entries().map(({ operation, verdict, caller }) => [operation, verdict, caller])).toEqual([
      ['read', 'allow', 'somebody'],
      ['write', 'deny', 'somebody'],
      ['read', 'deny', 'somebody'],
    ]);
    expect(pair.rootward.audit).toBe(audit);
  });

  test('writes if the policy allows it', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      options: { policy: { preset: 'write-in-project' } },
      tools: { write: writeTool },
    });
    expect((await pair.call('write', { path: 'new.txt' })).text).toBe('done');
    expect(readFileSync(tree.at('app/new.txt'), 'utf8')).toBe('written');
  });

  test('explains why nothing can be reached', async () => {
    using tree = tempTree(['app/a.txt']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    await pair.call('where');
    pair.list();
    await pair.changed();
    const { data } = await pair.call('read', { path: tree.at('app/a.txt') });
    expect(data).toMatchObject({
      error: { code: 'NO_ROOTS', hint: expect.stringContaining('Open a folder') },
    });
  });
});

describe('a question of the policy', () => {
  const policy = { allow: ['read' as const], ask: ['write' as const] };
  const yes = { action: 'accept', content: { allow: true } };

  test.each([
    ['yes', yes, 'done'],
    ['no', { action: 'accept', content: { allow: false } }, ''],
    ['nothing', { action: 'cancel' }, ''],
  ])('goes to the person at the client, who answers %s', async (_word, answer, text) => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      capabilities: { roots: {}, elicitation: {} },
      options: { policy },
      tools: { write: writeTool },
    });
    pair.client.answers.set('elicitation/create', () => answer);
    const result = await pair.call('write', { path: 'new.txt' });
    expect(pair.client.asked('elicitation/create')).toBe(1);
    if (text === 'done') expect(result.text).toBe('done');
    else expect(result.data).toMatchObject({ error: { code: 'DENIED' } });
  });

  test('is asked in a round in 2026-07-28, without recording a refusal meanwhile', async () => {
    using tree = tempTree(['app/']);
    const audit = createMemorySink();
    await using pair = await connectModern({
      roots: [tree.at('app')],
      capabilities: { roots: {}, elicitation: {} },
      options: { policy, audit },
      tools: { write: writeTool },
    });
    const { text, rounds } = await pair.call(
      'write',
      { path: 'new.txt' },
      { 'elicitation/create': () => yes },
    );
    expect(text).toBe('done');
    expect(rounds).toEqual([['roots/list'], ['roots/list', 'elicitation/create']]);
    expect(audit.entries().map(({ verdict }) => verdict)).toEqual(['allow']);
  });

  test('is refused if the client cannot ask', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      options: { policy },
      tools: { write: writeTool },
    });
    expect((await pair.call('write', { path: 'new.txt' })).data).toMatchObject({
      error: { code: 'NOT_ASKED' },
    });
  });

  test("goes to the author's own dialog, if there is one", async () => {
    using tree = tempTree(['app/']);
    const asked: string[] = [];
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      capabilities: { roots: {}, elicitation: {} },
      options: { policy, ask: ({ request }) => asked.push(request.path) > 0 },
      tools: { write: writeTool },
    });
    expect((await pair.call('write', { path: 'new.txt' })).text).toBe('done');
    expect(asked).toEqual(['new.txt']);
    expect(pair.client.asked('elicitation/create')).toBe(0);
  });
});

test('check reports whether access would be allowed, and does nothing', async () => {
  using tree = tempTree(['app/a.txt']);
  const check =
    (rootward: Rootward): ToolRun =>
    async (context, { path = '' }) =>
      rootward.check(context, { operation: 'read', path });
  await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { check } });
  expect(JSON.parse((await pair.call('check', { path: 'a.txt' })).text)).toMatchObject({
    allowed: true,
    place: 'a.txt',
  });
  expect(JSON.parse((await pair.call('check', { path: '/etc/passwd' })).text)).toMatchObject({
    allowed: false,
  });
  expect(pair.rootward.audit).toBeDefined();
});

test('check records an entry for a client, and none for the program itself', async () => {
  using tree = tempTree(['app/a.txt']);
  const audit = createMemorySink();
  const check =
    (rootward: Rootward): ToolRun =>
    async (context, { path = '' }) =>
      rootward.check(context, { operation: 'read', path });
  const options = { audit, ceiling: [tree.at('app')] };
  await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { check }, options });
  await pair.call('check', { path: 'a.txt' });
  const own = await pair.rootward.check(undefined, { operation: 'read', path: tree.at('app/a.txt') });
  expect(own).toMatchObject({ allowed: true });
  expect(audit.entries().map(({ event, path }) => [event, path])).toEqual([['look', 'a.txt']]);
});

describe('on change', () => {
  test('reports changed roots, but not the first list', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    const heard: RootsChange[] = [];
    const stop = pair.rootward.on('change', (change) => heard.push(change));
    await pair.call('where');
    expect(heard).toEqual([]);
    pair.list(tree.at('docs'));
    await pair.changed();
    await pair.call('where');
    expect(heard.map(({ roots }) => roots.map(({ name }) => name))).toEqual([['docs']]);
    stop();
    pair.list();
    await pair.changed();
    await pair.call('where');
    expect(heard).toHaveLength(1);
  });

  test('is silent after an equal list', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    let heard = 0;
    pair.rootward.on('change', () => (heard += 1));
    for (let count = 0; count < 3; count += 1) {
      await pair.call('where');
      await pair.changed();
    }
    expect(pair.client.asked()).toBe(3);
    expect(heard).toBe(0);
  });

  test('reports withdrawn roots, with the session', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      sessionId: 'session-1',
      options: { ceiling: [tree.path] },
    });
    const heard: RootsChange[] = [];
    pair.rootward.on('change', (change) => heard.push(change));
    await pair.call('where');
    pair.list();
    await pair.changed();
    await pair.call('where');
    expect(heard).toEqual([{ sessionId: 'session-1', roots: [] }]);
  });

  test('reports a change in 2026-07-28 when the next answer differs', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectModern({ roots: [tree.at('app')] });
    const heard: string[][] = [];
    await pair.call('where');
    pair.rootward.on('change', ({ roots }) => heard.push(roots.map(({ name }) => name)));
    await pair.call('where');
    pair.list(tree.at('docs'));
    await pair.call('where');
    expect(heard).toEqual([['docs']]);
  });

  test('a failing listener does not fail the call', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const heard: string[] = [];
    pair.rootward.on('change', () => {
      throw new Error('a listener of the author');
    });
    pair.rootward.on('change', () => heard.push('the next one'));
    await pair.call('where');
    pair.list(tree.at('docs'));
    await pair.changed();
    expect((await pair.call('where')).text).toBe('docs');
    expect((await pair.call('where')).text).toBe('docs');
    expect(heard).toEqual(['the next one']);
    expect((await warned).message).toBe('a listener of the author');
  });
});

test('work that outlasts its call asks no question and leaves nothing open', async () => {
  using tree = tempTree(['app/a.txt = text']);
  let later: () => Promise<unknown> = async () => undefined;
  await using pair = await connectLegacy({
    roots: [tree.at('app')],
    options: { freshness: 0 },
    tools: {
      background: (rootward) => async (context) => {
        await rootward.workspace(context);
        void rootward.workspace(context, { cwd: tree.at('app') });
        later = async () =>
          rootward.access(context, { operation: 'read', path: 'a.txt' }, ({ boundary, relative }) =>
            boundary.readText(relative),
          );
        return 'started';
      },
    },
  });
  expect((await pair.call('background')).text).toBe('started');
  expect(await later()).toBe('text');
  await pair.changed();
  await pair.client.request('ping');
  await later().catch(() => undefined);
  expect(pair.client.asked()).toBe(1);
  await pair.close();
  for (let turn = 0; turn < 200 && openHandles(tree.path).length > 0; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(openHandles(tree.path)).toEqual([]);
});

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
  test('are two questions with separate answers', async () => {
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

  test('are refused if the client cannot ask, without a request', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({
      roots: [tree.at('app')],
      options: { policy },
      tools: { both: writeBoth },
    });
    const { text, rounds } = await pair.call('both');
    expect(text).toContain('no person can be asked');
    expect(rounds).toEqual([['roots/list']]);
  });
});

test('a question escapes the requested path', async () => {
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

test('resolves a relative path from the project, and refuses it without one', async () => {
  using tree = tempTree(['one/a.txt', 'two/a.txt']);
  const entries = ['one', 'two'].map((name) => ({ uri: toFileUri(tree.at(name)) }));
  await using workspace = await openWorkspace(parseRoots(entries).roots);
  const inTwo = projectFirst(workspace, tree.at('two'));
  expect(inTwo.locate('a.txt')).toMatchObject({ root: { name: 'two' }, relative: 'a.txt' });
  expect(inTwo.locate(tree.at('one/a.txt'))).toMatchObject({ root: { name: 'one' } });
  expect(projectFirst(workspace, undefined).locate('a.txt')).toBeUndefined();
});
