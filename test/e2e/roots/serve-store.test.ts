import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { difficultClients, tempTree, type TempTree } from '../../../src/testing/index.ts';
import { runInMemory } from '../../support/processes/run-in-memory.ts';
import { speakHere, type SpeakOptions, type Spoken } from '../../support/processes/speak.ts';

const layout = [
  'home/',
  'app/a.txt = app',
  'app/.env = secret',
  'docs/b.txt = docs',
  'own/package.json = {}',
];

let tree: TempTree;

/** A server and a client that knows nothing of roots, and a person with a terminal beside them. */
async function start(options: SpeakOptions = {}): Promise<Spoken & Person> {
  const env = { ROOTWARD_HOME: tree.at('home'), ...options.env };
  const server = await speakHere({ ...options, env });
  return { ...server, ...person(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

interface Person {
  readonly roots: (...argv: readonly string[]) => Promise<void>;
}

function person(): Person {
  return {
    roots: async (...argv) => {
      const env = { ROOTWARD_HOME: tree.at('home') };
      const result = await runInMemory(tree.path, ['roots', ...argv], env);
      expect(result).toMatchObject({ code: 0, stderr: '' });
    },
  };
}

function setTree(): void {
  tree = tempTree(layout);
}

afterEach(() => tree[Symbol.dispose]());

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)(
  'a client of %s without any roots',
  (revision) => {
    test('reaches what a person picks, at the next call, and loses it at the next call', async () => {
      setTree();
      await using server = await start({ client: { ...difficultClients.undeclared, revision } });
      const read = (): ReturnType<Spoken['call']> =>
        server.call('read_text_file', { path: tree.at('app', 'a.txt') });
      expect((await read()).refused).toBe(true);
      await server.roots('add', 'app');
      expect(await read()).toMatchObject({ refused: false, text: 'app' });
      await server.roots('remove', 'app');
      expect((await read()).refused).toBe(true);
      await server.roots('undo');
      expect(await read()).toMatchObject({ refused: false });
    });
  },
);

describe('what a person permits', () => {
  test('is what the server permits, from the next call on', async () => {
    setTree();
    await using server = await start();
    await server.roots('add', 'app');
    const write = (): ReturnType<Spoken['call']> =>
      server.call('write_file', { path: tree.at('app', 'new.txt'), content: 'new' });
    expect(await write()).toMatchObject({ refused: true, code: 'DENIED' });
    expect(existsSync(tree.at('app', 'new.txt'))).toBe(false);
    await server.roots('allow', 'app', 'write');
    expect(await write()).toMatchObject({ refused: false });
    expect(readFileSync(tree.at('app', 'new.txt'), 'utf8')).toBe('new');
    await server.roots('deny', 'app', 'write');
    expect(await write()).toMatchObject({ refused: true });
    await server.roots('deny', 'app', '--glob', 'a.txt');
    expect(await server.call('read_text_file', { path: tree.at('app', 'a.txt') })).toMatchObject({
      code: 'DENIED',
    });
  });

  test('brings the tools that it needs, and does not open what holds secrets', async () => {
    setTree();
    await using server = await start();
    const tools = async (): Promise<string> => JSON.stringify(await server.player.request('tools/list'));
    await server.roots('add', 'app', '--preset', 'write-in-project');
    expect(await tools()).not.toContain('remove_file');
    await server.roots('allow', 'app', 'remove');
    await server.call('list_roots');
    expect(await tools()).toContain('"remove_file"');
    expect(await server.call('read_text_file', { path: tree.at('app', '.env') })).toMatchObject({
      code: 'DENIED',
    });
  });

  test('is limited by the flags of the command', async () => {
    setTree();
    await using server = await start({ args: ['--read-only'] });
    await server.roots('add', 'app', '--preset', 'write-in-project');
    const path = tree.at('app', 'a.txt');
    expect(await server.call('read_text_file', { path })).toMatchObject({ refused: false });
    expect(await server.call('write_file', { path, content: 'x' })).toMatchObject({ refused: true });
  });
});

test('a server sees the subset that is meant for it, by its name', async () => {
  setTree();
  await using usual = await start();
  await using named = await start({ args: ['--server', 'files'] });
  await usual.roots('add', 'app', 'docs');
  await usual.roots('limit', 'files', 'docs');
  const path = tree.at('app', 'a.txt');
  expect(await usual.call('read_text_file', { path })).toMatchObject({ refused: false });
  expect(await named.call('read_text_file', { path })).toMatchObject({ refused: true });
  expect(await named.call('read_text_file', { path: tree.at('docs', 'b.txt') })).toMatchObject({
    refused: false,
  });
});

describe('without roots in the store', () => {
  test('a person without any roots is told how to store one', async () => {
    setTree();
    await using server = await start();
    const { refused, text } = await server.call('read_text_file', { path: 'a.txt' });
    expect([refused, text]).toEqual([true, expect.stringContaining('`rootward roots add DIR`')]);
    await server.roots('add', 'app');
    await server.roots('remove', 'app');
    // Nothing is left, and that is another refusal.
    const later = await server.call('read_text_file', { path: 'a.txt' });
    expect(later).toMatchObject({ refused: true, text: expect.stringContaining('`rootward roots add DIR`') });
    // A server that does not follow the store does not send people there.
    await using other = await start({ args: ['--no-store'] });
    const { text: usual } = await other.call('read_text_file', { path: 'a.txt' });
    expect(usual).not.toContain('rootward roots');
  });

  test('the project that is found counts, as if there were no store', async () => {
    setTree();
    await using server = await start({ cwd: tree.at('own') });
    expect(await server.call('read_text_file', { path: 'package.json' })).toMatchObject({ refused: false });
  });

  test('removing the last one leaves no roots, not the project that would be found', async () => {
    setTree();
    const { roots } = person();
    await roots('add', 'app');
    await using server = await start({ cwd: tree.at('own') });
    const own = (): ReturnType<Spoken['call']> =>
      server.call('read_text_file', { path: tree.at('own', 'package.json') });
    expect(await own()).toMatchObject({ refused: true });
    await roots('remove', 'app');
    expect(await own()).toMatchObject({ refused: true });
  });
});

test('with --no-store, its variable or directories nothing of the store is reached', async () => {
  setTree();
  const { roots } = person();
  await roots('add', 'app');
  const path = tree.at('app', 'a.txt');
  // Negative control: the same root is reached by a server that follows the store.
  await using control = await start();
  expect(await control.call('read_text_file', { path })).toMatchObject({ refused: false });
  for (const options of [
    { args: ['--no-store'] },
    { env: { ROOTWARD_NO_STORE: '1' } },
    { args: [tree.at('docs')] },
  ]) {
    await using server = await start(options);
    expect([options, await server.call('read_text_file', { path })]).toMatchObject([
      options,
      { refused: true },
    ]);
  }
});

test('roots of a client and of the store count together', async () => {
  setTree();
  await using server = await start({
    client: difficultClients.cooperative,
    roots: [toFileUri(tree.at('docs'))],
  });
  await server.roots('add', 'app');
  expect(await server.call('read_text_file', { path: tree.at('app', 'a.txt') })).toMatchObject({
    refused: false,
  });
  expect(await server.call('read_text_file', { path: tree.at('docs', 'b.txt') })).toMatchObject({
    refused: false,
  });
});

describe('a file that an editor spoils', () => {
  test('while the server runs leaves what was there before', async () => {
    setTree();
    await using server = await start();
    await server.roots('add', 'app');
    const read = (): ReturnType<Spoken['call']> =>
      server.call('read_text_file', { path: tree.at('app', 'a.txt') });
    expect(await read()).toMatchObject({ refused: false });
    const file = tree.at('home', 'roots.jsonc');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, '{ "roots": [');
    const said = (): string => server.wire.stderr();
    await expect.poll(said, { timeout: 20_000 }).toMatch(/line 1, column.*are still used/);
    expect(await read()).toMatchObject({ refused: false });
    // What is added is not written over a file that a person has to repair, and has no effect.
    const { code } = await runInMemory(tree.path, ['roots', 'add', 'docs'], {
      ROOTWARD_HOME: tree.at('home'),
    });
    expect([code, readFileSync(file, 'utf8')]).toEqual([3, '{ "roots": [']);
    writeFileSync(file, good);
    await expect.poll(said, { timeout: 20_000 }).toContain('can be read again');
    expect(said().match(/line 1, column/g)).toHaveLength(1);
    expect(await read()).toMatchObject({ refused: false });
  });

  test('before the server starts makes it refuse, with line and column', async () => {
    setTree();
    writeFileSync(tree.at('home', 'roots.jsonc'), '{ "roots": [');
    const env = { ROOTWARD_HOME: tree.at('home') };
    const { code, stderr } = await runInMemory(tree.path, ['serve'], env);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/line 1, column/)]);
  });
});
