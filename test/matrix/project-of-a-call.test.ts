import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../src/testing/temp-tree.ts';
import { type Listening, startHttpHere } from '../support/http/start-http.ts';
import { connectHttp } from '../support/peers/connect-http.ts';
import type { ClientName, SdkClient } from '../support/peers/sdk-client.ts';
import { connectHere } from '../support/processes/connect.ts';

/*
 * `cwd` is an argument of every tool of `serve`, whichever client calls it and over which transport. An argument that
 * has no effect is named in the answer: in silence, a file once landed in another project.
 */

/** A call of every tool that works in a directory with the file `a.txt`, by relative paths where it takes any. */
const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read_file: { path: 'a.txt' },
  read_text_file: { path: 'a.txt' },
  read_media_file: { path: 'a.png' },
  read_multiple_files: { paths: ['a.txt'] },
  write_file: { path: 'new.txt', content: 'new' },
  edit_file: { path: 'a.txt', edits: [{ oldText: 'a', newText: 'a' }], dryRun: true },
  create_directory: { path: 'made' },
  list_directory: { path: '.' },
  list_directory_with_sizes: { path: '.' },
  directory_tree: { path: '.' },
  move_file: { source: 'new.txt', destination: 'moved.txt' },
  search_files: { path: '.', pattern: 'a.txt' },
  get_file_info: { path: 'a.txt' },
  list_allowed_directories: {},
  search_text: { pattern: 'a' },
  find_files: { globs: ['a.txt'] },
  copy_file: { source: 'a.txt', destination: 'copied.txt' },
  remove_file: { path: 'copied.txt' },
  check_path: { path: 'a.txt' },
  project_info: {},
  find_docs: { query: 'a' },
  build_config: {},
  shell: { command: 'pwd' },
  list_roots: {},
  why: {},
};

const entries = [
  'here/a.txt = here',
  'here/package.json = {"name":"@acme/shop"}',
  'here/packages/web/package.json = {"name":"web-app"}',
  'here/packages/api/package.json = {}',
  'here/one/twin/package.json = {}',
  'here/two/twin/package.json = {}',
  'there/sub/b.txt = there',
  'SECRET/a.txt = secret',
];
const args = ['--allow', 'remove,execute'];

/** What a caller may say, and the project that it means while `here` is the current one. */
const forms: readonly (readonly [said: string, place: string])[] = [
  ['there', 'there'],
  ['here', 'here'],
  ['@acme/shop', 'here'],
  ['web-app', 'here/packages/web'],
  ['here', 'here'],
  ['./packages/api', 'here/packages/api'],
  ['here', 'here'],
  ['api', 'here/packages/api'],
  ['$TREE/there/sub', 'there/sub'],
  ['file://$TREE/here', 'here'],
];

/** The shipped command and a client, until the end of its tests. */
interface Served {
  readonly tree: TempTree;
  readonly client: SdkClient & AsyncDisposable;
}

const open: AsyncDisposable[] = [];
let listening: Listening;
let shared: TempTree;

beforeAll(async () => {
  shared = tempTree(entries);
  listening = await startHttpHere({ args: [...args, shared.at('here'), shared.at('there')] });
});

afterAll(async () => {
  for (const one of open) await one[Symbol.asyncDispose]();
  await listening[Symbol.asyncDispose]();
  shared[Symbol.dispose]();
});

const clients: Readonly<Record<string, () => Promise<Served>>> = {
  'SDK v2 over stdio': () => overStdio('v2'),
  'SDK v2 in 2026 over stdio': () => overStdio('v2 in 2026'),
  'SDK v2 over HTTP': () => overHttp('v2'),
  'SDK v2 in 2026 over HTTP': () => overHttp('v2 in 2026'),
};

async function overStdio(name: ClientName): Promise<Served> {
  const tree = tempTree(entries);
  const client = await connectHere(name, { args: [...args, tree.at('here'), tree.at('there')] });
  open.push(client, { [Symbol.asyncDispose]: async () => tree[Symbol.dispose]() });
  return { tree, client };
}

async function overHttp(name: ClientName): Promise<Served> {
  const { url, token } = listening;
  const client = await connectHttp({ client: name, url: new URL(url), token });
  open.push(client);
  return { tree: shared, client };
}

describe.each(Object.keys(clients))('%s', (name) => {
  let served: Served;
  beforeAll(async () => {
    served = await (clients[name] ?? (() => overStdio('v2')))();
  });

  test('every tool has cwd and project in its input schema', async () => {
    const tools = await served.client.tools();
    expect(tools.length).toBeGreaterThan(20);
    const without = tools.filter(
      ({ inputSchema: { properties = {} } }) => !('cwd' in properties && 'project' in properties),
    );
    expect(without).toEqual([]);
    // A new tool needs a row above, so that the next test covers it.
    const others = tools.map(({ name: tool }) => tool).filter((tool) => tool !== 'switch_project');
    expect(others.filter((tool) => calls[tool] === undefined)).toEqual([]);
  });

  test('every tool refuses a cwd outside, and names an argument that it does not take', async () => {
    const { client, tree } = served;
    const outside = tree.at('SECRET');
    const wrong: unknown[] = [];
    for (const { name: tool } of await client.tools()) {
      if (tool === 'switch_project') continue;
      const told = await client.call(tool, { ...calls[tool], cwd: outside, nonsense: 1 });
      const isRefused = told.isError && told.text.includes('outside the roots');
      if (!isRefused || !told.text.endsWith('\nignored: nonsense')) wrong.push({ tool, told });
    }
    expect(wrong).toEqual([]);
    expect(readFileSync(tree.at('SECRET/a.txt'), 'utf8')).toBe('secret');
  });

  test('a file lands in the directory that the call names, relative or absolute, and says what was ignored', async () => {
    const { client, tree } = served;
    const write = (path: string, more: object) => client.call('write_file', { path, content: 'x', ...more });
    expect(await write('one.txt', { cwd: tree.at('there') })).toMatchObject({ isError: false });
    expect(await write('two.txt', { project: tree.at('there') })).toMatchObject({ isError: false });
    expect(existsSync(tree.at('there/one.txt'))).toBe(true);
    expect(existsSync(tree.at('there/two.txt'))).toBe(true);
    expect(existsSync(tree.at('here/one.txt'))).toBe(false);
    await client.call('create_directory', { path: 'sub' });
    await write('three.txt', { cwd: 'sub' });
    expect(existsSync(tree.at('here/sub/three.txt'))).toBe(true);
    const both = await write('four.txt', { cwd: tree.at('there'), project: tree.at('here') });
    expect(both.texts).toContain('ignored: project; cwd counts');
    expect(existsSync(tree.at('there/four.txt'))).toBe(true);
    // An argument that is no text must not be taken for none.
    const wrong = await write('five.txt', { cwd: [tree.at('there')] });
    expect(wrong).toMatchObject({
      isError: true,
      text: expect.stringContaining('cwd and project are texts'),
    });
    expect(existsSync(tree.at('here/five.txt'))).toBe(false);
  });

  test('an absolute path inside the roots does not make up for a cwd outside', async () => {
    const { client, tree } = served;
    const path = tree.at('here/a.txt');
    expect(await client.call('read_text_file', { path, cwd: tree.at('SECRET') })).toMatchObject({
      isError: true,
    });
    const gone = await client.call('read_text_file', { path, cwd: tree.at('here/none') });
    expect(gone).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Cannot work in .* does not exist/),
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['read_text_file', { path: 'a.txt', lines: 5 }, 'ignored: lines; did you mean head?'],
    [
      'read_text_file',
      { path: 'a.txt', heads: 5, sessionId: 'x' },
      'ignored: heads, sessionId; did you mean head?',
    ],
    [
      'edit_file',
      { path: 'a.txt', dryRun: true, edits: [{ oldText: 'here', newText: 'h', old_string: '' }] },
      'ignored: edits.old_string',
    ],
    ['why', { chatInput: 'x' }, 'ignored: chatInput'],
  ])('%s %j says: %s', async (tool, input, line) => {
    const { isError, texts } = await served.client.call(tool, { ...input, cwd: 'here' });
    expect({ isError, line: texts.at(-1) }).toEqual({ isError: false, line });
  });

  test('switch_project takes every form of a name, and names the known ones otherwise', async () => {
    const { client, tree } = served;
    const remembers = name !== 'SDK v2 in 2026 over HTTP';
    for (const [project, place] of forms) {
      const told = await client.call('switch_project', { project: project.replace('$TREE', tree.path) });
      if (remembers)
        expect(told.data).toMatchObject({ source: 'switched', project: { location: tree.at(place) } });
      else {
        // Nothing is remembered: the refusal says what to pass instead, and that works.
        expect(told).toMatchObject({
          isError: true,
          text: expect.stringContaining('Pass cwd with every call'),
        });
        const cwd = JSON.parse(/: ("[^"]+")$/.exec(told.text)?.[1] ?? '""') as string;
        expect((await client.call('why', { cwd })).data).toMatchObject({
          source: 'argument',
          project: { location: tree.at(place) },
        });
      }
    }
    const unknown = await client.call('switch_project', { project: 'nowhere' });
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toMatch(/no project has that name\nKnown projects are: .*here.*web-app/s);
    const twins = await client.call('switch_project', { project: 'twin' });
    expect(twins.text).toContain('2 projects have that name');
    if (remembers) await client.call('switch_project', { project: 'here' });
  });

  test('cwd takes the same names for one call', async () => {
    const { client, tree } = served;
    for (const [project, place] of forms) {
      const cwd = project.replace('$TREE', tree.path);
      expect((await client.call('why', { cwd })).data).toMatchObject({
        source: 'argument',
        project: { location: tree.at(place) },
      });
    }
    expect((await client.call('why')).data).toMatchObject({ project: { location: tree.at('here') } });
  });

  test('a call that fails for its arguments names the one that was meant', async () => {
    const { isError, text } = await served.client.call('read_text_file', { file_path: 'a.txt' });
    expect(isError).toBe(true);
    expect(text).toMatch(/\nignored: file_path; did you mean path\?$/);
  });
});

describe.each(['v2', 'v2 in 2026'] as const)('several open directories and a client of SDK %s', (name) => {
  test('the person is asked once, and the next connection knows the choice', async () => {
    using tree = tempTree(['one/', 'two/', 'home/']);
    const roots = [tree.at('one'), tree.at('two')];
    const env = { ROOTWARD_HOME: tree.at('home') };
    const asked: string[] = [];
    const person = (message: string) => {
      asked.push(message);
      return { project: tree.at('two') };
    };
    const write = { path: 'new.txt', content: 'x' };
    {
      await using client = await connectHere(name, { roots, env, person });
      // Absolute paths need no project.
      await client.call('list_directory', { path: tree.at('one') });
      expect(asked).toEqual([]);
      expect(await client.call('write_file', write)).toMatchObject({ isError: false });
      await client.call('write_file', { ...write, path: 'again.txt' });
      expect(asked).toEqual(['Several projects are open. Which one is meant?']);
    }
    await using next = await connectHere(name, { roots: roots.toReversed(), env });
    await next.call('write_file', { ...write, path: 'next.txt' });
    expect(readdirSync(tree.at('two')).toSorted()).toEqual(['again.txt', 'new.txt', 'next.txt']);
    expect(readdirSync(tree.at('one'))).toEqual([]);
    const { data } = await next.call('why');
    expect(data).toMatchObject({ confidence: 'certain', project: { location: tree.at('two') } });
    expect(JSON.stringify(data)).toContain('a person chose it');
  });

  test('a person who chooses none is not asked again, and the answer says that the first is a guess', async () => {
    using tree = tempTree(['one/a.txt = one', 'two/a.txt = two']);
    const roots = [tree.at('one'), tree.at('two')];
    let asked = 0;
    const person = () => {
      asked += 1;
      return {};
    };
    await using client = await connectHere(name, { roots, person });
    const guess = 'the project is a guess: one is the first of 2; pass cwd to choose';
    for (let count = 0; count < 2; count += 1)
      expect((await client.call('read_text_file', { path: 'a.txt' })).texts).toEqual(['one', guess]);
    expect(asked).toBe(1);
    const { data } = await client.call('why');
    expect(data).toMatchObject({ confidence: 'guessed', why: expect.stringContaining(guess) });
    expect((await client.call('read_text_file', { path: 'a.txt', cwd: 'two' })).texts).toEqual(['two']);
  });
});
