import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { listTree } from '../../support/trees/list-tree.ts';
import { runInMemory } from '../../support/processes/run-in-memory.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { speakHere } from '../../support/processes/speak.ts';
import { startHttpHere } from '../../support/http/start-http.ts';

/* A root beneath another root: a writer in the outer one must not decide what the inner one is. */

const layout = [
  'home/',
  'work/pkg/a.txt = inner',
  'work/pkg/x.txt = x',
  'work/deep/er/b.txt = deeper',
  'work/notes.txt = notes',
  'work/sub/',
  'work/other/',
  'work/planted => ../outside',
  'work/planted.txt => ../outside/secret',
  'outside/secret = TOP-SECRET',
  'outside/package.json = {"name":"TOP-SECRET"}',
] as const;

/** The outer root, a root in it, a root further down, and a file. */
const places = ['work', 'work/pkg', 'work/deep/er', 'work/notes.txt'] as const;

type Call = (tool: string, args: Readonly<Record<string, string>>) => Promise<string>;

interface Served extends AsyncDisposable {
  readonly call: Call;
}

async function serveStdio(tree: TempTree, how: Parameters<typeof speakHere>[0]): Promise<Served> {
  const server = await speakHere({ ...how, env: { ROOTWARD_HOME: tree.at('home') } });
  return {
    call: async (tool, args) => (await server.call(tool, args)).text,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function serveHttp(tree: TempTree, args: readonly string[], listed: boolean): Promise<Served> {
  const server = await startHttpHere({ args });
  const roots = (): { uri: string }[] => (listed ? urisOf(tree).map((uri) => ({ uri })) : []);
  const client = await connectClient('v2 in 2025', { ...server, roots });
  return {
    call: (tool, input) => client.call(tool, input).catch(String),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function pathsOf(tree: TempTree): readonly string[] {
  return places.map((place) => tree.at(place));
}

function urisOf(tree: TempTree): readonly string[] {
  return pathsOf(tree).map((path) => toFileUri(path));
}

const removing = ['--allow', 'remove'];

/** Each way to name roots. */
const kinds: Readonly<Record<string, (tree: TempTree) => Promise<Served>>> = {
  'that the operator names': (tree) => serveStdio(tree, { args: [...pathsOf(tree), ...removing] }),
  'that a client lists': (tree) => serveStdio(tree, { args: removing, roots: urisOf(tree) }),
  'that a client lists in a directory of the operator': (tree) =>
    serveStdio(tree, { args: [tree.path, ...removing, '--merge', 'intersect'], roots: urisOf(tree) }),
  'that a person keeps in the store': async (tree) => {
    for (const place of places) {
      const env = { ROOTWARD_HOME: tree.at('home') };
      expect(await runInMemory(tree.path, ['roots', 'add', place], env)).toMatchObject({ code: 0 });
      for (const operation of ['write', 'remove'])
        await runInMemory(tree.path, ['roots', 'allow', place, operation], env);
    }
    return serveStdio(tree, { args: removing });
  },
  'that the operator names, over HTTP': (tree) =>
    serveHttp(tree, [...pathsOf(tree), ...removing, '--merge', 'operator'], false),
  'that a client lists over HTTP': (tree) => serveHttp(tree, [tree.at('work'), ...removing], true),
};

/** What is open stays so for some seconds. A switch to another project has all of it opened again. */
async function openAgain(tree: TempTree, call: Call, project = 'work/sub'): Promise<void> {
  expect(await call('switch_project', { project: tree.at(project) })).toContain('Named by: switched');
}

function reading(tree: TempTree, call: Call): (path: string) => Promise<string> {
  return (path) => call('read_text_file', { path: tree.at(path) });
}

describe.each(Object.entries(kinds))('roots in each other %s', (_kind, serve) => {
  test('keep their names, and are refused where a link out has taken one of them', async () => {
    using tree = tempTree(layout);
    await using server = await serve(tree);
    const read = reading(tree, server.call);
    expect(await read('work/pkg/a.txt')).toBe('inner');
    expect(await read('work/notes.txt')).toBe('notes');
    await expectKeptNames(tree, server.call);
    await expectOthersToMove(tree, server.call);
    // Another directory under the name of a root is what the root is from then on.
    renameSync(tree.at('work/pkg'), tree.at('work/old'));
    tree.add('work/pkg/a.txt = cloned anew');
    await openAgain(tree, server.call, 'work/deep');
    expect(await read('work/pkg/a.txt')).toBe('cloned anew');
    plantLinks(tree);
    await openAgain(tree, server.call);
    await expectNothingOutside(tree, server.call);
    expect(await read('work/deep/er/b.txt')).toBe('deeper');
    expect(await read('work/old/x.txt')).toBe('x');
  });
});

function containing(text: string): unknown {
  return expect.stringContaining(text);
}

async function expectKeptNames(tree: TempTree, call: Call): Promise<void> {
  const before = listTree(tree.at('work'));
  for (const name of ['sub/../pkg', 'sub/../pkg/', 'deep', 'sub/../deep/er', 'sub/../notes.txt']) {
    const path = `${tree.at('work')}/${name}`;
    const moved = await call('move_file', { source: path, destination: tree.at('work/moved') });
    expect({ name, moved }).toEqual({ name, moved: containing('it is another root, or holds one') });
    const removed = await call('remove_file', { path });
    expect({ name, removed }).toEqual({ name, removed: containing('Cannot remove') });
  }
  expect(listTree(tree.at('work'))).toEqual(before);
}

/** What only lies in an inner root moves as ever, and so does the rest of the outer one. */
async function expectOthersToMove(tree: TempTree, call: Call): Promise<void> {
  const move = (from: string, to: string): Promise<string> =>
    call('move_file', { source: tree.at(from), destination: tree.at(to) });
  expect(await move('work/pkg/a.txt', 'work/deep/er/a.txt')).toContain('Successfully');
  expect(await move('work/other', 'work/sub/other')).toContain('Successfully');
}

/** As a shell, a program of the person or a hostile repository could do it. */
function plantLinks(tree: TempTree): void {
  rmSync(tree.at('work/pkg'), { recursive: true });
  renameSync(tree.at('work/planted'), tree.at('work/pkg'));
  renameSync(tree.at('work/planted.txt'), tree.at('work/notes.txt'));
  // A reader that follows the links gets something.
  expect(readFileSync(tree.at('work/pkg/secret'), 'utf8')).toBe('TOP-SECRET');
}

async function expectNothingOutside(tree: TempTree, call: Call): Promise<void> {
  const read = reading(tree, call);
  for (const path of ['work/pkg/secret', 'work/notes.txt', 'outside/secret'])
    expect({ path, text: await read(path) }).toEqual({ path, text: containing('outside the roots') });
  const written = { path: tree.at('work/pkg/new'), content: 'x' };
  expect(await call('write_file', written)).toContain('outside the roots');
  expect(readdirSync(tree.at('outside'))).toEqual(['package.json', 'secret']);
  // Nor is it looked at for the name of a project.
  const switched = await call('switch_project', { project: tree.at('work/pkg') });
  const told = await call('why', { cwd: tree.at('work/pkg') });
  expect({ switched, told }).toEqual({
    switched: containing('Cannot switch'),
    told: containing('outside the roots'),
  });
  expect(switched + told).not.toContain('TOP-SECRET');
  for (const tool of ['why', 'list_roots'])
    expect({ tool, text: await call(tool, {}) }).toEqual({
      tool,
      text: containing('leads out of another root'),
    });
}

test('a root that is alone may be replaced by whatever its owner likes, also by a link', async () => {
  using tree = tempTree(['app/a.txt = first', 'releases/2/a.txt = second', 'other/']);
  await using server = await serveStdio(tree, { args: [tree.at('app'), tree.at('other')] });
  const read = reading(tree, server.call);
  expect(await read('app/a.txt')).toBe('first');
  renameSync(tree.at('app'), tree.at('old'));
  symlinkSync('releases/2', tree.at('app'));
  await openAgain(tree, server.call, 'other');
  expect(await read('app/a.txt')).toBe('second');
});

test('a link within the outer root leads where it led at first, or nowhere', async () => {
  using tree = tempTree([
    'work/one/a.txt = one',
    'work/two/a.txt = two',
    'work/now => one',
    'work/next => two',
  ]);
  await using server = await serveStdio(tree, { args: [tree.at('work'), tree.at('work/now')] });
  expect(await reading(tree, server.call)('work/now/a.txt')).toBe('one');
  renameSync(tree.at('work/next'), tree.at('work/now'));
  await openAgain(tree, server.call, 'work/two');
  expect(await server.call('why', {})).toContain('a link on its path now leads somewhere else');
});

test.each(['alias/a.txt', 'sub/../pkg/a.txt', 'alias/deep'])(
  'what must not be read in the inner root is not moved out of it as %s of the outer one',
  async (way) => {
    using tree = tempTree([
      'work/pkg/a.txt = SEALED',
      'work/pkg/deep/b = SEALED',
      'work/sub/',
      'work/alias => pkg',
    ]);
    const inner = { [tree.at('work/pkg')]: { allow: ['list', 'write', 'remove'] } };
    const policy = { allow: ['read', 'list', 'write'], roots: inner };
    writeFileSync(tree.at('settings.json'), JSON.stringify({ policy }), { mode: 0o600 });
    const args = [tree.at('work'), tree.at('work/pkg'), '--config', tree.at('settings.json')];
    await using server = await serveStdio(tree, { args });
    const move = (source: string, destination: string): Promise<string> =>
      server.call('move_file', {
        source: tree.at('work', source),
        destination: tree.at('work', destination),
      });
    expect(await move(way, 'taken')).toContain('the policy does not allow "read"');
    expect(readdirSync(tree.at('work'))).not.toContain('taken');
    // Within the inner root no other rules are met.
    expect(await move('alias/a.txt', 'alias/c.txt')).toContain('Successfully');
  },
);

const confinement = await probeConfinement();
const isConfined = confinement.kind !== 'none' || canRun('bwrap');

test.runIf(isConfined)(
  `a shell in the outer root cannot exchange the inner one${needs('bwrap')}`,
  async () => {
    using tree = tempTree(layout);
    const args = [...pathsOf(tree), '--allow', 'remove,execute'];
    await using server = await serveStdio(tree, { args });
    const run = (command: string, place = 'work'): Promise<string> =>
      server.call('shell', { command, cwd: tree.at(place) });
    for (const name of ['pkg', 'deep', 'deep/er']) {
      const said = await run(`mv -T ${name} moved; rm -rf ${name}; ln -s /etc ${name}; echo ended`);
      expect({ name, said }).toEqual({
        name,
        said: expect.stringMatching(/busy[^]*ended|ended[^]*busy/i) as unknown,
      });
      expect(lstatSync(tree.at('work', name)).isDirectory()).toBe(true);
    }
    // A file can be replaced there, as editors do it; a link in its place leads nowhere.
    await run(`ln -sfn ${tree.at('outside/secret')} notes.txt`);
    await openAgain(tree, server.call);
    expect(await reading(tree, server.call)('work/notes.txt')).not.toContain('TOP-SECRET');
    const inner = await run('pwd; ls -A / /etc', 'work/pkg');
    expect(inner).toContain(tree.at('work/pkg'));
    expect(inner).not.toContain('shadow');
  },
);

test.runIf(isConfined)(
  `what a shell is shown is not exchanged in another root${needs('bwrap')}`,
  async () => {
    using tree = tempTree([
      'app/',
      'other/sdk/tool = from the toolchain',
      'other/planted => ../outside',
      'outside/tool = TOP-SECRET',
    ]);
    const args = ['--allow', 'remove,execute', '--shell-read', tree.at('other/sdk')];
    await using server = await serveStdio(tree, { args: [tree.at('app'), tree.at('other'), ...args] });
    const command = `cat ${tree.at('other/sdk/tool')}`;
    const run = (): Promise<string> => server.call('shell', { command, cwd: tree.at('app') });
    expect(await run()).toContain('from the toolchain');
    const move = (source: string, destination: string): Promise<string> =>
      server.call('move_file', { source: tree.at(source), destination: tree.at(destination) });
    expect(await move('other/sdk', 'other/old')).toContain('Successfully');
    expect(await move('other/planted', 'other/sdk')).toContain('Successfully');
    expect(readFileSync(tree.at('other/sdk/tool'), 'utf8')).toBe('TOP-SECRET');
    expect(await run()).toContain('a link leads out of a root');
  },
);
