import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import { silence } from '../../../test/support/peers/raw-client.ts';
import type { ToolRun } from '../../../test/support/peers/sdks.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createWorkspaceKeeper } from '../compose/workspace-keeper.ts';
import type { Rootward } from '../settings/rootward.ts';

/** A tool that looks, waits until it may go on, and looks again. */
function pausing(): {
  readonly tool: (rootward: Rootward) => ToolRun;
  readonly paused: Promise<void>;
  readonly goOn: () => void;
} {
  let pause: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const paused = new Promise<void>((resolve) => (pause = resolve));
  const resumed = new Promise<void>((resolve) => (goOn = resolve));
  const look = async (rootward: Rootward, context: object, path: string): Promise<unknown> => {
    const { project, revision, roots } = await rootward.workspace(context);
    const paths = (await rootward.roots(context)).map((root) => root.path);
    const text = await rootward
      .access(context, { operation: 'read', path }, ({ boundary, relative }) => boundary.readText(relative))
      .catch((error: unknown) => (error as { code: string }).code);
    return [
      project.name,
      revision,
      roots.map((root) => root.path),
      paths,
      rootward.contains(context, path),
      text,
    ];
  };
  const tool =
    (rootward: Rootward): ToolRun =>
    async (context, { path = '' }) => {
      const before = await look(rootward, context, path);
      pause();
      await resumed;
      return [before, await look(rootward, context, path)];
    };
  return { tool, paused, goOn: () => goOn() };
}

describe('a root that was moved or removed since the last call', () => {
  const write =
    (rootward: Rootward): ToolRun =>
    async (context, { path = '' }) =>
      rootward.access(context, { operation: 'write', path }, ({ boundary, relative }) =>
        boundary.write(relative, 'new'),
      );
  const list =
    (rootward: Rootward): ToolRun =>
    async (context, { path = '' }) =>
      rootward.access(context, { operation: 'list', path }, async ({ boundary, relative }) =>
        (await boundary.list(relative)).entries.map(({ name }) => name).join(' '),
      );
  const check =
    (rootward: Rootward): ToolRun =>
    async (context, { path = '' }) => {
      const { allowed, code } = await rootward.check(context, { operation: 'read', path });
      return allowed ? 'allowed' : code;
    };
  // Nothing expires while a test runs.
  const options = { freshness: 3_600_000, policy: { preset: 'write-in-project' } } as const;
  const tools = { write, list, check };

  test.each([
    ['list', '.'],
    ['read', 'a.txt'],
    ['write', 'new.txt'],
  ])('is missing at once for %s', async (tool, path) => {
    using tree = tempTree(['app/a.txt = text']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options, tools });
    expect((await pair.call('read', { path: 'a.txt' })).text).toBe('text');
    rmSync(tree.at('app'), { recursive: true });
    const { isError, text } = await pair.call(tool, { path });
    expect(isError).toBe(true);
    expect(text).toContain('the folder of root "app" is gone');
    expect(text).not.toContain('list_roots');
    expect((await pair.call('check', { path })).text).toBe('ROOT_MISSING');
  });

  test('is missing at once for a check, also in a session that shares its roots', async () => {
    using tree = tempTree(['app/a.txt = text']);
    const keeper = createWorkspaceKeeper(options.freshness);
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      sessionId: 'one',
      options: { ...options, keeper, merge: 'client' },
      tools,
    });
    const check = async (): Promise<string> => (await pair.call('check', { path: 'a.txt' })).text;
    expect(await check()).toBe('allowed');
    rmSync(tree.at('app'), { recursive: true });
    expect(await check()).toBe('ROOT_MISSING');
    keeper.close();
  });

  test('is the directory that has its name now; the other roots stay', async () => {
    using tree = tempTree(['app/a.txt = first', 'docs/d.txt = docs']);
    await using pair = await connectLegacy({ roots: [tree.at('docs'), tree.at('app')], options, tools });
    expect((await pair.call('read', { path: tree.at('app/a.txt') })).text).toBe('first');
    renameSync(tree.at('app'), tree.at('old'));
    mkdirSync(tree.at('app'));
    expect((await pair.call('read', { path: tree.at('docs/d.txt') })).text).toBe('docs');
    expect((await pair.call('write', { path: tree.at('app/w.txt') })).isError).toBe(false);
    expect([readdirSync(tree.at('app')), readdirSync(tree.at('old'))]).toEqual([['w.txt'], ['a.txt']]);
  });

  test('stays with a call that used it before', async () => {
    using tree = tempTree(['app/a.txt = text']);
    const { tool, paused, goOn } = pausing();
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      options,
      tools: { ...tools, slow: tool },
    });
    const slow = pair.call('slow', { path: tree.at('app/a.txt') });
    await paused;
    renameSync(tree.at('app'), tree.at('old'));
    expect((await pair.call('read', { path: tree.at('app/a.txt') })).isError).toBe(true);
    goOn();
    const [before, after] = JSON.parse((await slow).text) as unknown[];
    expect((after as unknown[]).at(-1)).toBe('text');
    expect((before as unknown[]).at(-1)).toBe('text');
  });
});

describe('a call', () => {
  test.each(['cold', 'warm'])('sees one snapshot from its beginning to its end: %s', async (state) => {
    using tree = tempTree(['app/a.txt = text', 'docs/']);
    const { tool, paused, goOn } = pausing();
    await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { slow: tool } });
    if (state === 'warm') await pair.call('where');
    const path = tree.at('app/a.txt');
    const slow = pair.call('slow', { path });
    await paused;
    pair.list(tree.at('docs'));
    await pair.changed();
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
    expect((await pair.call('read', { path })).isError).toBe(true);
    goOn();
    const [before, after] = JSON.parse((await slow).text) as unknown[];
    expect(after).toEqual(before);
    expect(before).toEqual(['app', 1, [tree.at('app')], [tree.at('app')], true, 'text']);
    expect((await pair.call('contains', { path })).text).toBe('false');
  });

  test('keeps its first snapshot, even for questions after a change', async () => {
    using tree = tempTree(['app/a.txt = text', 'docs/']);
    let pause: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const paused = new Promise<void>((resolve) => (pause = resolve));
    const resumed = new Promise<void>((resolve) => (goOn = resolve));
    const tool =
      (rootward: Rootward): ToolRun =>
      async (context) => {
        await rootward.workspace(context);
        pause();
        await resumed;
        const roots = await rootward.roots(context);
        return roots.map(({ name }) => name).join(' ');
      };
    await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { slow: tool } });
    await pair.call('where');
    const slow = pair.call('slow');
    await paused;
    pair.list(tree.at('docs'));
    await pair.changed();
    await pair.call('where');
    goOn();
    expect((await slow).text).toBe('app');
  });

  test('sees one snapshot in 2026-07-28, too', async () => {
    using tree = tempTree(['app/a.txt = text', 'docs/']);
    const { tool, paused, goOn } = pausing();
    await using pair = await connectModern({ roots: [tree.at('app')], tools: { slow: tool } });
    const path = tree.at('app/a.txt');
    const slow = pair.call('slow', { path });
    await paused;
    pair.list(tree.at('docs'));
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
    goOn();
    const [before, after] = JSON.parse((await slow).text) as unknown[];
    expect(after).toEqual(before);
  });

  test('gets a new revision after a change, and the same one without', async () => {
    using tree = tempTree(['app/', 'docs/']);
    const revision =
      (rootward: Rootward): ToolRun =>
      async (context) =>
        (await rootward.workspace(context)).revision;
    await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { revision } });
    expect((await pair.call('revision')).text).toBe('1');
    expect((await pair.call('revision')).text).toBe('1');
    pair.list(tree.at('docs'));
    await pair.changed();
    expect((await pair.call('revision')).text).toBe('2');
  });

  test('may use another directory, and its own afterwards', async () => {
    using tree = tempTree(['app/', 'app/lib/package.json = {"name":"lib"}']);
    const tool =
      (rootward: Rootward): ToolRun =>
      async (context) => {
        const there = await rootward.workspace(context, { cwd: tree.at('app/lib') });
        const here = await rootward.workspace(context);
        return `${there.project.name} ${here.project.name} ${rootward.contains(context, 'lib/package.json')}`;
      };
    await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { both: tool } });
    expect((await pair.call('both')).text).toBe('lib app true');
    expect((await pair.call('both')).text).toBe('lib app true');
    expect(pair.client.asked()).toBe(1);
  });

  test('may not use a directory outside of the roots', async () => {
    using tree = tempTree(['app/', 'other/']);
    const tool =
      (rootward: Rootward): ToolRun =>
      async (context) =>
        (await rootward.workspace(context, { cwd: tree.at('other') })).project.name;
    await using pair = await connectLegacy({ roots: [tree.at('app')], tools: { outside: tool } });
    expect((await pair.call('outside')).isError).toBe(true);
  });

  test('asks again if the client announced a change but did not answer', async () => {
    using tree = tempTree(['app/', 'docs/']);
    const all =
      (rootward: Rootward): ToolRun =>
      async (context) =>
        (await rootward.workspace(context)).roots.map(({ name }) => name).join(' ');
    await using pair = await connectLegacy({
      roots: [tree.at('app')],
      options: { ceiling: [tree.at('docs')], timeout: 40 },
      tools: { all },
    });
    expect((await pair.call('all')).text).toBe('docs app');
    const lists = pair.client.answers.get('roots/list');
    pair.client.answers.set('roots/list', () => silence);
    await pair.changed();
    expect((await pair.call('all')).text).toBe('docs');
    if (lists !== undefined) pair.client.answers.set('roots/list', lists);
    expect((await pair.call('all')).text).toBe('docs app');
  });
});

test('reuses a look at the disk while it is fresh', async () => {
  using tree = tempTree(['app/package.json = {"name":"first"}']);
  await using lasting = await connectLegacy({ roots: [tree.at('app')] });
  await using brief = await connectLegacy({ roots: [tree.at('app')], options: { freshness: 0 } });
  expect([(await lasting.call('where')).text, (await brief.call('where')).text]).toEqual(['first', 'first']);
  tree.add('app/package.json = {"name":"second"}');
  expect([(await lasting.call('where')).text, (await brief.call('where')).text]).toEqual(['first', 'second']);
});

describe('without a context', () => {
  test('asks no client, and uses what is remembered', async () => {
    using tree = tempTree(['app/', 'own/package.json = {"name":"own"}']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: { cwd: tree.at('own') } });
    expect((await pair.rootward.workspace()).project.name).toBe('own');
    expect(pair.client.asked()).toBe(0);
    await pair.call('where');
    expect(await pair.rootward.workspace()).toMatchObject({ project: { name: 'app' }, source: 'roots' });
    expect((await pair.rootward.roots()).map(({ path }) => path)).toEqual([tree.at('app')]);
    expect(pair.client.asked()).toBe(1);
  });

  test('keeps the names of invalidated roots until the client answers', async () => {
    using tree = tempTree(['app/a.txt']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    await pair.call('where');
    await pair.changed();
    await pair.client.request('ping');
    expect(await pair.rootward.workspace()).toMatchObject({ project: { name: 'app' }, source: 'remembered' });
    expect(pair.client.asked()).toBe(1);
  });

  test('it works without any connection', async () => {
    using tree = tempTree(['app/package.json = {"name":"alone"}']);
    await using pair = await connectLegacy({ options: { cwd: tree.at('app') } });
    await pair.client.close();
    expect((await pair.rootward.workspace()).project.name).toBe('alone');
    const read = pair.rootward.access(
      undefined,
      { operation: 'read', path: 'package.json' },
      ({ boundary, relative }) => boundary.readText(relative),
    );
    expect(await read).toContain('alone');
  });

  test('it works in 2026-07-28', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({ roots: [tree.at('app')] });
    await expect(pair.rootward.workspace()).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
    await pair.call('where');
    expect((await pair.rootward.workspace()).project.name).toBe('app');
  });
});

describe('contains', () => {
  test('is undefined before the first answer and after a change, else true or false', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    const inside = tree.at('app/new.txt');
    const answers = async (): Promise<unknown[]> => [
      (await pair.call('contains', { path: inside })).text,
      (await pair.call('contains', { path: tree.at('other') })).text,
      pair.rootward.contains(undefined, inside),
    ];
    expect(await answers()).toEqual(['undefined', 'undefined', undefined]);
    await pair.call('paths');
    expect(await answers()).toEqual(['true', 'false', true]);
    await pair.changed();
    expect(await answers()).toEqual(['undefined', 'undefined', undefined]);
    expect(pair.client.asked()).toBe(1);
  });

  test('stays known, however old the last look at the disk is', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')], options: { freshness: 0 } });
    await pair.call('paths');
    expect((await pair.call('contains', { path: tree.at('app/x') })).text).toBe('true');
    expect(pair.rootward.contains(undefined, '/etc')).toBe(false);
  });

  test('reads a relative path from the project, and a file URI', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectLegacy({ roots: [tree.at('app'), tree.at('docs')] });
    await pair.call('paths');
    expect(pair.rootward.contains(undefined, 'a/b.txt')).toBe(true);
    expect(pair.rootward.contains(undefined, '../elsewhere')).toBe(false);
    // Only the disk knows where `..` leads: it may follow a link.
    expect(pair.rootward.contains(undefined, '../docs/x')).toBe(false);
    expect(pair.rootward.contains(undefined, toFileUri(tree.at('docs/a b')))).toBe(true);
  });

  test('is undefined in each 2026-07-28 call until the client has answered in it', async () => {
    using tree = tempTree(['app/']);
    const tool =
      (rootward: Rootward): ToolRun =>
      async (context) => {
        const before = rootward.contains(context, tree.at('app'));
        await rootward.roots(context);
        return `${before} ${rootward.contains(context, tree.at('app'))}`;
      };
    await using pair = await connectModern({ roots: [tree.at('app')], tools: { both: tool } });
    expect((await pair.call('both')).text).toBe('undefined true');
    pair.list();
    expect((await pair.call('both')).text).toBe('undefined false');
  });

  test('is false if nothing may be reached', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    await pair.call('paths');
    pair.list();
    await pair.changed();
    await pair.call('paths');
    expect(pair.rootward.contains(undefined, tree.at('app'))).toBe(false);
  });
});

describe('other hints of a client', () => {
  test.each([
    ['roots', (uri: string) => ({ roots: [{ uri, name: 'one' }] })],
    ['workspaceFolders', (uri: string) => ({ workspaceFolders: [{ uri, name: 'one' }] })],
    ['rootUri', (uri: string) => ({ rootUri: uri })],
  ])('%s in initialize', async (_name, initialize) => {
    using tree = tempTree(['app/']);
    const uri = toFileUri(tree.at('app'));
    await using pair = await connectLegacy({ capabilities: {}, initialize: initialize(uri) });
    expect((await pair.call('where')).text).toBe('app');
    expect((await pair.call('source')).text).toBe('initialize');
    expect(pair.client.asked()).toBe(0);
  });

  test('the name of the client decides which variable counts', async () => {
    using tree = tempTree(['app/package.json = {}', 'other/package.json = {}']);
    const environment = { CLAUDE_PROJECT_DIR: tree.at('app') };
    await using claude = await connectLegacy({
      clientName: 'claude-code',
      capabilities: {},
      options: { environment },
    });
    await using other = await connectLegacy({
      clientName: 'unheard-of',
      capabilities: {},
      options: { environment },
    });
    expect((await claude.call('source')).text).toBe('client-env');
    expect((await other.call('source')).isError).toBe(true);
  });

  test('uses the directory of each request, if the client is known to send it', async () => {
    using tree = tempTree(['one/', 'two/', 'other/']);
    await using pair = await connectLegacy({ clientName: 'goose', roots: [tree.at('one'), tree.at('two')] });
    const where = async (name: string): Promise<string> =>
      (await pair.call('where', {}, { 'agent-working-dir': tree.at(name) })).text;
    expect(await Promise.all(['one', 'two', 'one', 'two'].map(where))).toEqual(['one', 'two', 'one', 'two']);
    expect((await pair.call('where')).text).toBe('one');
    expect(pair.client.asked()).toBe(1);
  });

  test('ignores the same key from another client', async () => {
    using tree = tempTree(['one/', 'two/']);
    await using pair = await connectLegacy({ roots: [tree.at('one'), tree.at('two')] });
    expect((await pair.call('where', {}, { 'agent-working-dir': tree.at('two') })).text).toBe('one');
  });
});
