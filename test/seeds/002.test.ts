import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair, type LegacySetup } from '../support/peers/connect-legacy.ts';
import { silence } from '../support/peers/raw-client.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { parseFileUri, toFileUri } from '../../src/path/file-uri.ts';
import { parseRoots } from '../../src/path/root.ts';
import { difficultClients, playClient, type Player } from '../../src/testing/index.ts';
import { openStdioWire } from '../../src/testing/stdio-wire.ts';
import { type TempTree, tempTree } from '../../src/testing/temp-tree.ts';
import { serverCommand } from '../support/peers/connect-stdio.ts';
import { connectHere as connectCommand } from '../support/processes/connect.ts';
import { quotesFrom } from '../support/docs/seed-quotes.ts';

const quote = quotesFrom('002');

/** The server was started in `here`, and a project is found going up from there, although no client asked for it. */
let start: TempTree;
const before = process.cwd();

beforeEach(() => {
  start = tempTree(['package.json = {}', 'here/']);
  process.chdir(start.at('here'));
});

afterEach(() => {
  process.chdir(before);
  start[Symbol.dispose]();
});

/** A server that follows its client by itself. */
async function connectHere(setup: LegacySetup = {}): Promise<LegacyPair> {
  return connectLegacy({
    ...setup,
    options: { eager: true, chdir: true, cwd: process.cwd(), ...setup.options },
  });
}

/** When the directory of the process is this one; there is no event for it. */
async function arriveAt(directory: string): Promise<void> {
  while (process.cwd() !== directory) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** When a question was answered and everything that follows from it has happened. */
async function calm(pair: LegacyPair): Promise<void> {
  await pair.client.question();
  await pair.rootward.workspace().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.each(sdkNames)('seed 002, its test cases, on SDK %s', (sdk) => {
  test(
    quote('Client declares roots capability → server queries roots after notifications/initialized'),
    async () => {
      using tree = tempTree(['app/']);
      await using pair = await connectHere({ sdk, roots: [tree.at('app')] });
      await pair.client.question();
      expect(pair.client.asked()).toBe(1);
      const order = pair.records
        .map(({ message }) => message['method'])
        .filter((method) => method !== undefined);
      expect(order).toEqual(['initialize', 'notifications/initialized', 'roots/list']);
    },
  );

  test(quote('Client without roots capability → server does NOT query roots'), async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectHere({ sdk, roots: [tree.at('app')], capabilities: {} });
    await pair.call('paths');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(pair.client.asked()).toBe(0);
    expect(process.cwd()).toBe(start.at('here'));
  });

  test(quote('Empty roots list → directory unchanged'), async () => {
    await using pair = await connectHere({ sdk });
    await calm(pair);
    expect(process.cwd()).toBe(start.at('here'));
  });

  test(quote('Single root → directory set to that root'), async () => {
    using tree = tempTree(['repo/.git/', 'repo/package.json = {}', 'repo/sub/']);
    await using pair = await connectHere({ sdk, roots: [tree.at('repo/sub')] });
    await arriveAt(tree.at('repo/sub'));
    expect(process.cwd()).toBe(tree.at('repo/sub'));
    await pair.client.close();
  });

  test(quote('Multiple roots → directory set to first valid root'), async () => {
    using tree = tempTree(['two/', 'three/', 'file.txt']);
    await using pair = await connectHere({ sdk });
    pair.client.answers.set('roots/list', () => ({
      roots: [
        { uri: 'https://example.com/app' },
        { uri: toFileUri(tree.at('gone')) },
        { uri: toFileUri(tree.at('two')) },
        { uri: toFileUri(tree.at('three')) },
      ],
    }));
    await arriveAt(tree.at('two'));
    expect(process.cwd()).toBe(tree.at('two'));
  });

  test(quote('notifications/roots/list_changed → server re-queries and updates directory'), async () => {
    using tree = tempTree(['one/', 'two/']);
    await using pair = await connectHere({ sdk, roots: [tree.at('one')] });
    await arriveAt(tree.at('one'));
    pair.list(tree.at('two'));
    await pair.changed();
    await arriveAt(tree.at('two'));
    expect(pair.client.asked()).toBe(2);
  });

  test(quote('Invalid/non-existent root URI → graceful handling'), async () => {
    using tree = tempTree(['one/']);
    await using pair = await connectHere({ sdk });
    pair.client.answers.set('roots/list', () => ({
      roots: [{ uri: 'file:///%zz' }, { uri: 'not a uri' }, { uri: toFileUri(tree.at('gone')) }, null],
    }));
    await calm(pair);
    expect(process.cwd()).toBe(start.at('here'));
    // A list without a usable entry counts like an empty one: the project around the working directory.
    expect((await pair.call('paths')).text).toBe(start.path);
    pair.client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('one')) }] }));
    await pair.changed();
    await arriveAt(tree.at('one'));
  });
});

describe.each(sdkNames)('seed 002, its interleavings, on SDK %s', (sdk) => {
  test('a buffered tools/list that arrives before the answer is served first', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectHere({ sdk, options: { timeout: 10_000 } });
    pair.client.answers.set('roots/list', () => silence);
    const { id } = await pair.client.question();
    const listed = await pair.client.request('tools/list');
    expect(listed['result']).toMatchObject({ tools: expect.any(Array) });
    await pair.client.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: toFileUri(tree.at('app')) }] } });
    await arriveAt(tree.at('app'));
    expect(pair.client.asked()).toBe(1);
  });

  test('a response to another request is not taken for the answer', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectHere({ sdk, options: { timeout: 10_000 } });
    pair.client.answers.set('roots/list', () => silence);
    const { id } = await pair.client.question();
    await pair.client.send({ jsonrpc: '2.0', id: 'nobody', result: { roots: [{ uri: 'file:///etc' }] } });
    await pair.client.request('ping');
    expect(process.cwd()).toBe(start.at('here'));
    await pair.client.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: toFileUri(tree.at('app')) }] } });
    await arriveAt(tree.at('app'));
  });

  test('a change while it is asked does not ask within the question, and what counts is the list after it', async () => {
    using tree = tempTree(['old/', 'new/']);
    await using pair = await connectHere({ sdk, options: { timeout: 10_000 } });
    pair.client.answers.set('roots/list', () => silence);
    const { id } = await pair.client.question();
    await pair.changed();
    await pair.client.request('ping');
    expect(pair.client.asked()).toBe(1);
    pair.client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('new')) }] }));
    await pair.client.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: toFileUri(tree.at('old')) }] } });
    await arriveAt(tree.at('new'));
    const order = pair.records.flatMap(({ message }) => {
      if (message['method'] === 'roots/list') return ['asked'];
      return (message['result'] as { roots?: unknown } | undefined)?.roots === undefined ? [] : ['answered'];
    });
    expect(order).toEqual(['asked', 'answered', 'asked', 'answered']);
  });

  test('a client that never responds holds nothing up', async () => {
    await using pair = await connectHere({ sdk, options: { timeout: 30 } });
    pair.client.answers.set('roots/list', () => silence);
    // It may have been asked before it fell silent.
    await expect.poll(() => pair.client.asked()).toBeGreaterThan(0);
    expect((await pair.client.request('tools/list'))['result']).toBeDefined();
    expect((await pair.call('paths')).text).toBe(start.path);
    expect(process.cwd()).toBe(start.at('here'));
  });

  test('a storm of changes is one question', async () => {
    using tree = tempTree(['one/', 'two/']);
    await using pair = await connectHere({ sdk, roots: [tree.at('one')] });
    await arriveAt(tree.at('one'));
    pair.list(tree.at('two'));
    for (let count = 0; count < 1_000; count += 1) await pair.changed();
    await arriveAt(tree.at('two'));
    expect(pair.client.asked()).toBe(2);
  });
});

test.each(sdkNames)(
  'seed 002, as a process over stdio with SDK %s: it asks once it is initialized, and follows',
  async (sdk) => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    let listed = [tree.at('gone'), tree.at('app')];
    const answer = () => ({ roots: listed.map((path) => ({ uri: toFileUri(path) })) });
    const client = {
      ...difficultClients.cooperative,
      whenAsked: () => [{ move: 'answer', result: answer() } as const],
    };
    const wire = openStdioWire({ ...serverCommand(sdk, { eager: true, chdir: true }), cwd: '/' });
    const player = await playClient(client, wire);
    try {
      await expect.poll(() => player.asks.length, { timeout: 15_000 }).toBe(1);
      await expect.poll(() => directoryOf(player)).toBe(tree.at('app'));
      expect(player.asks).toMatchObject([{ method: 'roots/list', call: 0 }]);
      listed = [tree.at('docs')];
      await wire.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
      await expect.poll(() => directoryOf(player)).toBe(tree.at('docs'));
      expect(player.asks.map(({ method }) => method)).toEqual(['roots/list', 'roots/list']);
    } finally {
      await player.close();
    }
  },
);

async function directoryOf(player: Player): Promise<unknown> {
  const { result } = await player.call('cwd');
  return (result?.['structuredContent'] as { cwd?: unknown } | undefined)?.cwd;
}

/** `directories = Select[fileURIToPath /@ fileRoots, DirectoryQ]; dir = First @ directories` */
describe.each(['v2', 'v2 in 2026'] as const)(
  'a file that is listed first, to the command by SDK %s',
  (name) => {
    test('the first directory is the project, and a relative path still finds the file by its name', async () => {
      using tree = tempTree([
        'notes.md = notes',
        'both.md = root',
        'app/a.txt = a',
        'app/both.md = app',
        'docs/',
      ]);
      const roots = ['notes.md', 'both.md', 'app'].map((path) => tree.at(path));
      await using client = await connectCommand(name, { roots });
      expect((await client.call('why')).data).toMatchObject({
        project: { name: 'app', location: tree.at('app') },
        confidence: 'certain',
      });
      const read = async (path: string) => (await client.call('read_text_file', { path })).texts;
      expect(await read('notes.md')).toEqual(['notes']);
      expect(await read('./notes.md')).toEqual(['notes']);
      expect(await read('both.md')).toEqual(['app']);
      expect(await read('a.txt')).toEqual(['a']);
    });
  },
);

/** Words of the seed about URIs, and the path that follows. */
const uris = [
  [quote('Unix/Mac: file:///path/to/dir -> /path/to/dir'), 'posix', 'file:///path/to/dir', '/path/to/dir'],
  [
    quote('URLDecode @ StringDrop[ uri, 7 ]'),
    'posix',
    'file:///home/my%20user/%C3%A9',
    '/home/my user/\u00E9',
  ],
  [quote('Windows: file:///C:/path -> C:/path'), 'win32', 'file:///C:/path', 'C:\\path'],
] as const;

test.each(uris)('%s', (_quote, platform, uri, path) => {
  expect(parseFileUri(uri, { platform })).toBe(path);
});

test(quote('We should only set the directory for file:// URIs and gracefully ignore others'), () => {
  const { roots, issues } = parseRoots([{ uri: 'https://example.com' }, { uri: 'file:///home/me/app' }]);
  expect(roots.map(({ path }) => path)).toEqual(['/home/me/app']);
  expect(issues).toMatchObject([{ code: 'foreign-scheme', effect: 'dropped' }]);
});
