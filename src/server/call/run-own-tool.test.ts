import { rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { connectLegacy, nowhere, usualTools } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import { createServer, sdkNames } from '../../../test/support/peers/sdks.ts';
import { createMemorySink } from '../../audit/sink.ts';
import { RootwardError } from '../../errors.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { connectPair } from '../../testing/connect-pair.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { attach } from '../attach.ts';

const tools = { tools: true } as const;

describe.each(sdkNames)('our tools on a server of SDK %s', (sdk) => {
  test('list_roots returns the project and the roots, as data and as text', async () => {
    using tree = tempTree(['app/package.json = {"name":"my-app"}', 'notes.txt']);
    const roots = [tree.at('app'), tree.at('notes.txt')];
    await using pair = await connectLegacy({ sdk, roots, options: tools });
    const { data, text, isError } = await pair.call('list_roots');
    expect(isError).toBe(false);
    expect(data).toEqual({
      project: { name: 'my-app', location: tree.at('app'), id: expect.stringMatching(/^app-/) },
      source: 'roots',
      confidence: 'certain',
      roots: [
        { uri: toFileUri(tree.at('app')), path: tree.at('app'), name: 'app', kind: 'directory' },
        { uri: toFileUri(tree.at('notes.txt')), path: tree.at('notes.txt'), name: 'notes.txt', kind: 'file' },
      ],
      why: "union: the client listed roots, so the client's roots count",
    });
    expect(text).toBe(
      [
        `Project: my-app (${tree.at('app')})`,
        'Named by: roots, certain: it is the only one',
        `Roots: app (${tree.at('app')}), notes.txt (${tree.at('notes.txt')})`,
        "Why these roots: union: the client listed roots, so the client's roots count",
      ].join('\n'),
    );
  });

  test('why returns the whole trail', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')], options: tools });
    const { data, text } = await pair.call('why');
    expect(text.length).toBeLessThan(1_000);
    expect(text).toMatch(/^Project: app .*\nNamed by: roots, .*\n[^]*\nOther sources: argument \(/);
    expect(data).toMatchObject({ project: { name: 'app' }, source: 'roots', confidence: 'certain' });
    const trail = data['trail'] as { source: string; outcome: string }[];
    expect(trail.map(({ source }) => source)).toContain('walk-up');
    expect(trail.find(({ outcome }) => outcome === 'chosen')).toMatchObject({ source: 'roots' });
  });

  test('are listed with those of the author', async () => {
    await using pair = await connectLegacy({ sdk, options: { tools: ['why', 'list_roots'] } });
    const { result } = await pair.client.request('tools/list');
    const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).toContain('where');
    expect(names.slice(-2).toSorted()).toEqual(['list_roots', 'why']);
    expect((await pair.call('switch_project', { project: 'app' })).text).not.toContain('"project"');
  });

  test('exist even if the author has none', async () => {
    using tree = tempTree(['app/']);
    const server = createServer[sdk]();
    await using rootward = attach(server.server, { ...nowhere, ...tools });
    const client = new Client({ name: 'c', version: '1' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('app')) }] }));
    await using pair = await connectPair({ server: server.server, client });
    // This client validates results by their schemas.
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(['list_roots', 'switch_project', 'why']);
    for (const name of ['list_roots', 'why']) {
      const { structuredContent } = await client.callTool({ name, arguments: {} });
      expect(structuredContent).toMatchObject({ project: { name: 'app' } });
    }
    const { structuredContent } = await client.callTool({
      name: 'switch_project',
      arguments: { project: 'app' },
    });
    expect(structuredContent).toMatchObject({ source: 'switched' });
    expect(pair.asks()).toBe(1);
    expect(await rootward.roots()).toHaveLength(1);
  });
});

describe.each(['list_roots', 'why'])('%s', (name) => {
  test('can start from a directory', async () => {
    using tree = tempTree(['app/lib/package.json = {"name":"lib"}']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: tools });
    const { data } = await pair.call(name, { cwd: tree.at('app/lib') });
    expect(data).toMatchObject({
      project: { name: 'lib', location: tree.at('app/lib') },
      source: 'argument',
    });
    expect(data['roots']).toMatchObject([{ path: tree.at('app') }]);
    expect((await pair.call('where')).text).toBe('app');
  });

  test('does not start from a directory outside', async () => {
    using tree = tempTree(['app/', 'other/package.json = {"name":"secret"}']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: tools });
    const { data, text } = await pair.call(name, { cwd: tree.at('other') });
    expect(data['project']).toBeUndefined();
    expect(text).not.toContain('secret');
  });
});

test('if nothing is found both say so, and why lists what was tried', async () => {
  await using pair = await connectLegacy({ capabilities: {}, options: tools });
  expect(await pair.call('list_roots')).toMatchObject({
    isError: true,
    data: { error: { code: 'PROJECT_NOT_FOUND' } },
  });
  const { data, isError } = await pair.call('why');
  expect(isError).toBe(true);
  expect(data).toMatchObject({ roots: [], error: { code: 'PROJECT_NOT_FOUND' } });
  expect(data['trail']).not.toEqual([]);
});

describe('switch_project', () => {
  const entries = [
    'one/a.txt = first',
    'two/a.txt = second',
    'two/sub/package.json = {"name":"sub"}',
    'out/a.txt',
  ];

  test.each([
    ['a name', (at: (name: string) => string) => (at('two') ? 'two' : '')],
    ['a path', (at: (name: string) => string) => at('two')],
    ['a file URI', (at: (name: string) => string) => toFileUri(at('two'))],
  ])('accepts %s, for the rest of the connection', async (_form, textOf) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('one'), tree.at('two')], options: tools });
    expect((await pair.call('read', { path: 'a.txt' })).text).toBe('first');
    const { data } = await pair.call('switch_project', { project: textOf((name) => tree.at(name)) });
    expect(data).toMatchObject({ project: { name: 'two', location: tree.at('two') }, source: 'switched' });
    expect((await pair.call('where')).text).toBe('two');
    expect((await pair.call('read', { path: 'a.txt' })).text).toBe('second');
    expect((await pair.call('read', { path: tree.at('one/a.txt') })).text).toBe('first');
  });

  test('accepts the client’s name of a root', async () => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ options: tools });
    pair.client.answers.set('roots/list', () => ({
      roots: [
        { uri: toFileUri(tree.at('one')), name: 'First' },
        { uri: toFileUri(tree.at('two')), name: 'Second' },
      ],
    }));
    const { data } = await pair.call('switch_project', { project: 'Second' });
    expect(data).toMatchObject({ project: { location: tree.at('two') } });
  });

  test('accepts a directory within a root, and grants nothing by it', async () => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('two')], options: tools });
    const { data } = await pair.call('switch_project', { project: tree.at('two/sub') });
    expect(data).toMatchObject({ project: { name: 'sub' }, roots: [{ path: tree.at('two') }] });
    expect((await pair.call('read', { path: 'package.json' })).text).toContain('sub');
  });

  test.each([
    ['a path outside', (at: (name: string) => string) => at('out'), 'it is outside of what is allowed'],
    [
      'a URI outside',
      (at: (name: string) => string) => toFileUri(at('out')),
      'it is outside of what is allowed',
    ],
    ['an unknown name', () => 'out', 'no project has that name'],
    ['dots', () => '..', 'it is outside of what is allowed'],
    ['nothing', () => '', 'no project is named'],
    ['what is not there', (at: (name: string) => string) => at('one/none'), 'it does not exist'],
  ])('refuses %s, and nothing changes', async (_form, textOf, reason) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('one')], options: tools });
    const { isError, data, text } = await pair.call('switch_project', {
      project: textOf((name) => tree.at(name)),
    });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ error: { code: 'CANNOT_SWITCH', data: { reason } } });
    expect(text).toContain('Cannot switch to');
    expect((await pair.call('where')).text).toBe('one');
    expect((await pair.call('paths')).text).toBe(tree.at('one'));
    expect((await pair.call('read', { path: tree.at('out/a.txt') })).isError).toBe(true);
  });

  test.each([{}, { project: '' }, { project: 5 }])('names the known projects for %j', async (input) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('two')], options: tools });
    const { text } = await pair.call('switch_project', input);
    expect(text).toMatch(/^Cannot switch to another project: .*\n.*Known projects are: two, sub/);
  });

  test.each([undefined, ''])('takes cwd as the project if the project is %j', async (project) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('two')], options: tools });
    const { data } = await pair.call('switch_project', { project, cwd: 'sub' });
    expect(data).toMatchObject({ project: { name: 'sub' }, source: 'switched' });
  });

  test('says of a secret place in a root that it is one, whether or not it exists', async () => {
    using tree = tempTree(['me/.ssh/config', 'me/other/']);
    await using pair = await connectLegacy({ roots: [tree.at('me')], options: { ...tools, argument: true } });
    for (const path of [tree.at('me/.ssh'), tree.at('me/other/.ssh')]) {
      const switched = await pair.call('switch_project', { project: path });
      expect(switched.text).toMatch(/^Cannot switch to ".*\.ssh": it is a secret place: /);
      const listed = await pair.call('list_roots', { cwd: path });
      expect(listed.data).toMatchObject({ error: { code: 'DENIED', data: { path, root: 'me' } } });
      expect(listed.text).toContain('it is a secret place: ');
    }
  });

  test('keeps the previous switch if it is refused', async () => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('one'), tree.at('two')], options: tools });
    await pair.call('switch_project', { project: 'two' });
    await pair.call('switch_project', { project: tree.at('one/none') });
    expect((await pair.call('where')).text).toBe('two');
  });

  test.each([
    ['a path', (at: (name: string) => string) => at('two')],
    ['a name', () => 'two'],
  ])('ends with the root that was given by %s', async (_form, textOf) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('one'), tree.at('two')], options: tools });
    await pair.call('switch_project', { project: textOf((name) => tree.at(name)) });
    pair.list(tree.at('one'));
    await pair.changed();
    expect((await pair.call('where')).text).toBe('one');
    pair.list(tree.at('one'), tree.at('two'));
    await pair.changed();
    expect((await pair.call('where')).text).toBe('one');
  });

  test.each([
    ['a path', (at: (name: string) => string) => at('two')],
    ['a name', () => 'two'],
  ])('ends when all roots are withdrawn, also if given by %s', async (_form, textOf) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('one'), tree.at('two')], options: tools });
    await pair.call('switch_project', { project: textOf((name) => tree.at(name)) });
    pair.list();
    await pair.changed();
    expect((await pair.call('where')).data).toMatchObject({ error: { code: 'NO_ROOTS' } });
  });

  test('applies to its own connection only', async () => {
    using tree = tempTree(entries);
    const setup = { roots: [tree.at('one'), tree.at('two')], options: tools };
    await using switching = await connectLegacy(setup);
    await using other = await connectLegacy(setup);
    await switching.call('switch_project', { project: 'two' });
    expect((await other.call('where')).text).toBe('one');
  });

  test('stays within the directories of the operator, too', async () => {
    using tree = tempTree(entries);
    const options = { ...tools, ceiling: [tree.at('one'), tree.at('two')] };
    await using pair = await connectLegacy({ capabilities: {}, options });
    expect((await pair.call('switch_project', { project: 'two' })).data).toMatchObject({
      project: { location: tree.at('two') },
    });
    expect((await pair.call('switch_project', { project: tree.at('out') })).isError).toBe(true);
  });

  test('moves within the detected project, without changing access', async () => {
    using tree = tempTree([
      'ws/package.json = {"name":"ws"}',
      'ws/lib/package.json = {"name":"lib"}',
      'out/',
    ]);
    await using pair = await connectLegacy({ capabilities: {}, options: { ...tools, cwd: tree.at('ws') } });
    const { data } = await pair.call('switch_project', { project: tree.at('ws/lib') });
    expect(data).toMatchObject({ project: { name: 'lib' }, roots: [{ path: tree.at('ws') }] });
    expect((await pair.call('read', { path: 'package.json' })).text).toContain('lib');
    expect((await pair.call('read', { path: tree.at('ws/package.json') })).text).toContain('ws');
    expect((await pair.call('switch_project', { project: tree.at('out') })).isError).toBe(true);
  });

  test('is not confused with the project argument of a call', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectLegacy({ roots, options: { ...tools, argument: true } });
    expect((await pair.call('switch_project', { project: 'two' })).isError).toBe(false);
    expect((await pair.call('where')).text).toBe('two');
    expect((await pair.call('where', { project: tree.at('one') })).text).toBe('one');
  });

  test('works in 2026-07-28 as well', async () => {
    using tree = tempTree(entries);
    await using pair = await connectModern({ roots: [tree.at('one'), tree.at('two')], options: tools });
    const { data } = await pair.call('switch_project', { project: 'two' });
    expect(data).toMatchObject({ project: { name: 'two' } });
    expect((await pair.call('where')).text).toBe('two');
    pair.list(tree.at('one'));
    expect((await pair.call('where')).text).toBe('one');
  });
});

describe('switch_project where nothing is allowed', () => {
  const person = (answer: unknown) => ({ 'elicitation/create': () => answer });
  const yes = { action: 'accept', content: { allow: true } };

  test('accepts a name if the preset does, which grants nothing', async () => {
    using tree = tempTree(['app/a.txt']);
    const options = { ...tools, preset: 'adr-009' } as const;
    await using pair = await connectLegacy({ capabilities: {}, options });
    const { data } = await pair.call('switch_project', { project: 'app' });
    expect(data).toEqual({
      project: { name: 'app', id: 'name:app' },
      source: 'switched',
      confidence: 'certain',
      roots: [],
      why: expect.any(String),
    });
    expect((await pair.call('where')).text).toBe('app');
    expect((await pair.call('read', { path: tree.at('app/a.txt') })).isError).toBe(true);
    expect((await pair.call('read', { path: 'a.txt' })).isError).toBe(true);
  });

  test('refuses a name, because none is known, and says what to do', async () => {
    await using pair = await connectLegacy({ capabilities: { elicitation: {} }, options: tools });
    const { data, text } = await pair.call('switch_project', { project: 'no-such-thing' });
    const reason = 'no project has that name, because none is known';
    expect(data).toMatchObject({ error: { code: 'CANNOT_SWITCH', data: { reason, known: [] } } });
    expect(text).toContain('call switch_project with the absolute path, which asks the person');
    expect((await pair.call('where')).isError).toBe(true);
    expect(pair.client.asked('elicitation/create')).toBe(0);
  });

  test.each(['default', 'adr-009'] as const)(
    'an unknown name never ends what a person granted, nor does the name of the place, with preset %s',
    async (preset) => {
      using tree = tempTree(['app/a.txt = text']);
      const audit = createMemorySink();
      const options = { ...tools, audit, preset };
      await using pair = await connectLegacy({ capabilities: { elicitation: {} }, options });
      pair.client.answers.set('elicitation/create', () => yes);
      await pair.call('switch_project', { project: tree.at('app') });
      const { data } = await pair.call('switch_project', { project: 'no-such-thing' });
      expect(data).toMatchObject({ error: { code: 'CANNOT_SWITCH', data: { known: ['app'] } } });
      const again = await pair.call('switch_project', { project: 'app' });
      expect(again.data).toMatchObject({ source: 'switched', roots: [{ path: tree.at('app') }] });
      expect((await pair.call('read', { path: tree.at('app/a.txt') })).text).toBe('text');
      const rules = audit.entries().flatMap(({ tool, rule }) => (tool === 'switch_project' ? [rule] : []));
      expect(rules).toEqual(['consent:session', 'cannot-switch']);
    },
  );

  test.each([
    ['/', 'it is a whole file system, which is too broad for a project'],
    ['file:///', 'it is a whole file system, which is too broad for a project'],
    ['/a/../b', 'it contains ".." segments'],
    ['a/b', 'it is neither an absolute path nor a file URI'],
  ])('refuses %s for the true reason, without a question', async (project, reason) => {
    await using pair = await connectLegacy({ capabilities: { elicitation: {} }, options: tools });
    const { data } = await pair.call('switch_project', { project });
    expect(data).toMatchObject({ error: { code: 'CANNOT_SWITCH', data: { reason } } });
    expect(pair.client.asked('elicitation/create')).toBe(0);
  });

  test('takes ~ for the home directory, and shows the person where that is', async () => {
    await using pair = await connectLegacy({ capabilities: { elicitation: {} }, options: tools });
    const messages: string[] = [];
    pair.client.answers.set('elicitation/create', ({ message }) => {
      messages.push(String(message));
      return { action: 'decline' };
    });
    await pair.call('switch_project', { project: '~/no-such-project' });
    expect(messages).toEqual([
      expect.stringContaining(`"~/no-such-project", which is "${join(homedir(), 'no-such-project')}"`),
    ]);
  });

  test.each([
    ['says yes', yes, 'text'],
    ['says no', { action: 'accept', content: { allow: false } }, undefined],
    ['declines', { action: 'decline' }, undefined],
    ['goes away', { action: 'cancel' }, undefined],
    ['answers something else', { allow: true }, undefined],
  ])('accepts a path if a person %s', async (_name, answer, text) => {
    using tree = tempTree(['app/a.txt = text']);
    await using pair = await connectLegacy({ capabilities: { elicitation: {} }, options: tools });
    pair.client.answers.set('elicitation/create', () => answer);
    const { isError, data } = await pair.call('switch_project', { project: tree.at('app') });
    const read = await pair.call('read', { path: 'a.txt' });
    expect(pair.client.asked('elicitation/create')).toBe(1);
    if (text === undefined) {
      expect(data).toMatchObject({ error: { code: 'CANNOT_SWITCH' } });
      expect([isError, read.isError]).toEqual([true, true]);
    } else {
      expect(data).toMatchObject({ project: { name: 'app' }, roots: [{ path: tree.at('app') }] });
      expect(read.text).toBe(text);
    }
  });

  test.each([
    ['says yes', yes, { verdict: 'allow', rule: 'consent:session', outcome: 'done' }],
    ['says no', { action: 'decline' }, { verdict: 'deny', rule: 'cannot-switch', outcome: 'refused' }],
  ])('records an entry when a person %s, with the target of a link', async (_name, answer, line) => {
    using tree = tempTree(['app/a.txt = text', 'other/a.txt = other', 'link => app']);
    const audit = createMemorySink();
    await using pair = await connectLegacy({
      capabilities: { elicitation: {} },
      options: { ...tools, audit },
    });
    const messages: string[] = [];
    pair.client.answers.set('elicitation/create', ({ message }) => {
      messages.push(String(message));
      rmSync(tree.at('link'));
      symlinkSync('other', tree.at('link'));
      return answer;
    });
    await pair.call('switch_project', { project: tree.at('link') });
    expect(messages).toEqual([
      `Let this server work in "${tree.at('link')}", which is "${tree.at('app')}", with everything in it, until it switches again or disconnects? It may then: read, list. Secrets stay refused`,
    ]);
    const path = line.outcome === 'done' ? tree.at('app') : tree.at('link');
    expect(audit.entries()).toEqual([
      expect.objectContaining({
        event: 'grant',
        tool: 'switch_project',
        path,
        caller: expect.any(String),
        ...line,
      }),
    ]);
    const read = await pair.call('read', { path: 'a.txt' });
    expect([read.isError, read.text.includes('other')]).toEqual([line.outcome !== 'done', false]);
  });

  test('is undone if it cannot be recorded', async () => {
    using tree = tempTree(['app/a.txt = text']);
    const audit = createMemorySink();
    const record = (): never => {
      throw new RootwardError('AUDIT_FAILED', { reason: 'the sink is deaf' });
    };
    const options = { ...tools, audit: { ...audit, record, close: () => audit.close() } };
    await using pair = await connectLegacy({ capabilities: { elicitation: {} }, options });
    pair.client.answers.set('elicitation/create', () => yes);
    const { isError } = await pair.call('switch_project', { project: tree.at('app') });
    const { data } = await pair.call('list_roots');
    expect([isError, data['roots'] ?? []]).toEqual([true, []]);
  });

  test('asks the person in 2026-07-28 in a round', async () => {
    using tree = tempTree(['app/a.txt = text']);
    await using pair = await connectModern({ capabilities: { elicitation: {} }, options: tools });
    const { data, rounds } = await pair.call('switch_project', { project: tree.at('app') }, person(yes));
    expect(rounds).toEqual([['elicitation/create']]);
    expect(data).toMatchObject({ project: { name: 'app' } });
    expect((await pair.call('read', { path: 'a.txt' })).text).toBe('text');
  });

  test.each([
    ['there is no page', undefined, 'NOT_ASKED'],
    ['no page is open', async (): Promise<undefined> => undefined, 'NOT_ASKED'],
    ['a person says no there', async (): Promise<boolean> => false, 'CANNOT_SWITCH'],
  ] as const)('refuses a path if the client cannot ask and %s', async (_case, ask, code) => {
    using tree = tempTree(['app/']);
    const audit = createMemorySink();
    const options = {
      ...tools,
      audit,
      ...(ask && { askSwitch: { canAsk: async () => false, ask } }),
    };
    await using pair = await connectLegacy({ capabilities: {}, options });
    const { data, text } = await pair.call('switch_project', { project: tree.at('app') });
    expect(data).toMatchObject({ error: { code } });
    expect(text.includes('no person can be asked')).toBe(code === 'NOT_ASKED');
    expect(text.includes('no person agreed')).toBe(code === 'CANNOT_SWITCH');
    expect(audit.entries()).toMatchObject([{ path: tree.at('app'), outcome: 'refused', code }]);
  });

  test('does not ask over HTTP in 2026-07-28, which only the request reveals', async () => {
    using tree = tempTree(['app/a.txt = text']);
    let asked = 0;
    const handler = createMcpHandler(() => {
      const one = createServer.v2();
      const rootward = attach(one.server, { ...nowhere, ...tools });
      one.tool('read', usualTools['read']?.(rootward) ?? (() => ''));
      return one.server as never;
    });
    const client = new Client(
      { name: 'c', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('elicitation/create', () => {
      asked += 1;
      return { action: 'accept', content: { allow: true } };
    });
    const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
      handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
    const switched = await client.callTool({
      name: 'switch_project',
      arguments: { project: tree.at('app') },
    });
    expect(switched.isError).toBe(true);
    expect(asked).toBe(0);
    const read = await client.callTool({ name: 'read', arguments: { path: tree.at('app/a.txt') } });
    expect(read.isError).toBe(true);
    await client.close();
    await handler.close();
  });

  test('does not ask over HTTP, where a client can never widen access', async () => {
    using tree = tempTree(['app/a.txt']);
    await using pair = await connectLegacy({
      sessionId: 'one',
      capabilities: { elicitation: {} },
      options: tools,
    });
    pair.client.answers.set('elicitation/create', () => yes);
    const { isError } = await pair.call('switch_project', { project: tree.at('app') });
    expect(isError).toBe(true);
    expect(pair.client.asked('elicitation/create')).toBe(0);
    expect((await pair.call('read', { path: tree.at('app/a.txt') })).isError).toBe(true);
  });
});
