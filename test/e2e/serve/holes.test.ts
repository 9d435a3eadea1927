import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { listTree } from '../../support/trees/list-tree.ts';
import { referenceCommand } from '../../support/processes/command.ts';
import { type Input, serveOurs, serveTheirs, type Served } from '../../support/trees/served-tree.ts';
import { type Answer, speakHere, speakTo, type Spoken } from '../../support/processes/speak.ts';

/*
 * What was found in the reference file server, tried on the real process. Each attack is shown to be one: it
 * works on the reference, or on the plain file system.
 */

const entries = [
  'app/a.txt = inside',
  'app/sub/b.txt = b',
  'app/leaving => ../secret',
  'app/gone => ../nothing',
  'app/link => a.txt',
  'app/pipe|',
  'app/Cafe\u0301 = decomposed',
  'app/\uFFFD = replacement',
  'app /private.key = TOP-SECRET',
  "app'/private.key = TOP-SECRET",
  'secret = TOP-SECRET!!',
] as const;

let ours: Served;
let theirs: Served;

beforeAll(async () => {
  [ours, theirs] = await Promise.all([serveOurs(entries), serveTheirs(entries)]);
});

beforeEach(() => {
  for (const served of [ours, theirs]) served.reset();
});

afterAll(async () => {
  for (const served of [ours, theirs]) await served[Symbol.asyncDispose]();
});

async function ask(served: Served, tool: string, input: Input): Promise<Answer> {
  return served.ask(tool, input);
}

const app = '$TREE/app';
const refused = { refused: true };
const done = { refused: false };

test('H1: a listing tells no size of what is outside', async () => {
  const line = async (served: Served): Promise<string | undefined> =>
    (await ask(served, 'list_directory_with_sizes', { path: app })).text
      .split('\n')
      .find((text) => text.includes('leaving'));
  expect(await line(theirs)).toMatch(/ 12 B$/);
  expect(await line(ours)).toMatch(/ 0 B$/);
});

describe('H2: a sibling whose name differs by a space or a quote is another directory', () => {
  test.each([' ', "'"])('%j', async (mark) => {
    const sibling = `${app}${mark}`;
    const steal = { source: sibling, destination: `${app}/stolen` };
    expect((await ask(theirs, 'list_directory', { path: sibling })).text).toContain('private.key');
    expect(await ask(theirs, 'move_file', steal)).toMatchObject(done);
    for (const tool of ['list_directory', 'directory_tree', 'get_file_info'])
      expect(await ask(ours, tool, { path: sibling })).toMatchObject({ ...refused, code: 'OUTSIDE_ROOTS' });
    expect(await ask(ours, 'move_file', steal)).toMatchObject(refused);
    expect(await ask(ours, 'copy_file', steal)).toMatchObject(refused);
    expect(readdirSync(ours.tree.at('app'))).not.toContain('stolen');
  });
});

test('H3: writing to the root itself leaves its parent alone', async () => {
  const write = async (served: Served): Promise<readonly string[]> => {
    const names: string[] = [];
    const watcher = watch(served.tree.path, (_event, name) => names.push(String(name)));
    await ask(served, 'write_file', { path: app, content: 'payload' });
    // What is made now is reported after what was made before.
    served.tree.add('last');
    await expect.poll(() => names, { timeout: 20_000 }).toContain('last');
    watcher.close();
    return names.filter((name) => name !== 'last' && name !== 'app');
  };
  expect(await write(theirs)).toContainEqual(expect.stringMatching(/^app\..*\.tmp$/));
  expect(await write(ours)).toEqual([]);
});

test('H8: a root cannot be moved or removed', async () => {
  for (const source of [app, `${app}/`, `${app}/.`, `${app}/sub/..`]) {
    expect(await ask(ours, 'move_file', { source, destination: `${app}/sub/app` })).toMatchObject(refused);
    expect(await ask(ours, 'remove_file', { path: source })).toMatchObject(refused);
  }
  expect(existsSync(ours.tree.at('app/a.txt'))).toBe(true);
  using tree = tempTree(['one/a.txt', 'two/']);
  const move = { source: tree.at('one'), destination: tree.at('two/x') };
  const command = referenceCommand(tree.at('one'), tree.at('two'));
  await using careless = await speakTo(command, { client: difficultClients.undeclared, roots: [] });
  await using server = await speakHere({ args: [tree.at('one'), tree.at('two')] });
  expect(await server.call('move_file', move)).toMatchObject(refused);
  expect(existsSync(tree.at('one'))).toBe(true);
  expect(await careless.call('move_file', move)).toMatchObject(done);
  expect(existsSync(tree.at('one'))).toBe(false);
});

test('H9: moving a link moves the link', async () => {
  const move = { source: `${app}/link`, destination: `${app}/sub/link` };
  await ask(theirs, 'move_file', move);
  expect(existsSync(theirs.tree.at('app/a.txt'))).toBe(false);
  expect(await ask(ours, 'move_file', move)).toMatchObject(done);
  expect(lstatSync(ours.tree.at('app/sub/link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(ours.tree.at('app/a.txt'), 'utf8')).toBe('inside');
});

test('H10: no call waits for pipes, however many are read', async () => {
  const pipe = { path: `${app}/pipe` };
  const reads = Array.from({ length: 8 }, () => ask(ours, 'read_text_file', pipe));
  expect(await ask(ours, 'read_text_file', { path: `${app}/a.txt` })).toMatchObject({ text: 'inside' });
  for (const answer of await Promise.all(reads)) expect(answer).toMatchObject(refused);
  expect(await ask(ours, 'read_media_file', pipe)).toMatchObject(refused);
  expect(await ask(ours, 'edit_file', { ...pipe, edits: [] })).toMatchObject(refused);
  const copy = { source: pipe.path, destination: `${app}/x` };
  expect(await ask(ours, 'copy_file', copy)).toMatchObject(refused);
  expect(await ask(ours, 'search_text', { pattern: 'inside' })).toMatchObject(done);
  using tree = tempTree(['app/pipe|']);
  const undeclared = { client: difficultClients.undeclared, roots: [], bound: 500 };
  await using careless = await speakTo(referenceCommand(tree.at('app')), undeclared);
  expect(await careless.call('read_text_file', { path: tree.at('app/pipe') })).toMatchObject({
    text: '"silence"',
  });
  kill(careless);
});

/** One that hangs would not leave by itself. */
function kill({ wire }: Spoken): void {
  process.kill(wire.pid ?? 0, 'SIGKILL');
}

test.runIf(process.getuid?.() === 0)('H11: a device without an end is not read', async () => {
  ours.tree.add('app/zero!');
  expect(readFileSync(ours.tree.at('app/a.txt'))).toHaveLength(6);
  expect(statSync(ours.tree.at('app/zero')).isCharacterDevice()).toBe(true);
  for (const tool of ['read_media_file', 'read_text_file'])
    expect(await ask(ours, tool, { path: `${app}/zero` })).toMatchObject({
      ...refused,
      code: 'SPECIAL_FILE',
    });
  theirs.tree.add('app/zero!');
  const undeclared = { client: difficultClients.undeclared, roots: [], bound: 500 };
  await using careless = await speakTo(referenceCommand(theirs.tree.at('app')), undeclared);
  expect(await careless.call('read_media_file', { path: theirs.tree.at('app/zero') })).toMatchObject({
    text: '"silence"',
  });
  kill(careless);
});

test('H12: a file of gigabytes is cut or refused, and costs no memory', async () => {
  truncateSync(ours.tree.at('app/a.txt'), 5 * 1024 ** 3);
  expect(statSync(ours.tree.at('app/a.txt')).size).toBe(5 * 1024 ** 3);
  const path = `${app}/a.txt`;
  for (const tool of ['read_text_file', 'read_media_file'])
    expect(await ask(ours, tool, { path })).toMatchObject(refused);
  const edits = [{ oldText: 'inside', newText: '' }];
  expect(await ask(ours, 'edit_file', { path, edits })).toMatchObject(refused);
  expect(await ask(ours, 'search_text', { pattern: 'inside' })).toMatchObject({ text: 'No matches found' });
  expect(memoryOf(ours.server)).toBeLessThan(512 * 1024 ** 2);
});

test('H12: which the reference holds several times over', async () => {
  truncateSync(theirs.tree.at('app/a.txt'), 24 * 1024 ** 2);
  const before = memoryOf(theirs.server);
  expect(await ask(theirs, 'read_media_file', { path: `${app}/a.txt` })).toMatchObject(done);
  expect(memoryOf(theirs.server) - before).toBeGreaterThan(48 * 1024 ** 2);
});

/** The most that the process ever held, in bytes. */
function memoryOf({ wire }: Spoken): number {
  const status = readFileSync(`/proc/${wire.pid ?? 0}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

describe('H13: a glob that would take for ever is refused at once', () => {
  const bombs = {
    braces: '{a,b}'.repeat(22),
    repetitions: '+(a|aa)+(a|aa)+(a|aa)',
    levels: `${'**/'.repeat(40)}x`,
    brackets: '['.repeat(2_000),
  };
  test.each(Object.entries(bombs))('%s', async (_kind, pattern) => {
    expect(await ask(ours, 'search_files', { path: app, pattern })).toMatchObject(refused);
    const excluding = { path: app, pattern: '**', excludePatterns: [pattern] };
    expect(await ask(ours, 'search_files', excluding)).toMatchObject(refused);
    expect(await ask(ours, 'directory_tree', excluding)).toMatchObject(refused);
    expect(await ask(ours, 'find_files', { globs: [pattern] })).toMatchObject(refused);
    expect(await ask(ours, 'search_text', { pattern: 'x', globs: [pattern] })).toMatchObject(refused);
  });

  test('which the reference takes, and is busy', async () => {
    using tree = tempTree([`app/${'a'.repeat(22)}`]);
    const undeclared = { client: difficultClients.undeclared, roots: [], bound: 500 };
    await using careless = await speakTo(referenceCommand(tree.at('app')), undeclared);
    const bomb = { path: tree.at('app'), pattern: '{a,b}'.repeat(22) };
    expect(await careless.call('search_files', bomb)).toMatchObject({ text: '"silence"' });
    kill(careless);
  });
});

test('H14: writing to a file with a second name leaves the other alone', async () => {
  linkSync(ours.tree.at('secret'), ours.tree.at('app/hard'));
  expect(statSync(ours.tree.at('app/hard')).ino).toBe(statSync(ours.tree.at('secret')).ino);
  expect(await ask(ours, 'write_file', { path: `${app}/hard`, content: 'changed' })).toMatchObject(done);
  expect(readFileSync(ours.tree.at('app/hard'), 'utf8')).toBe('changed');
  expect(readFileSync(ours.tree.at('secret'), 'utf8')).toBe('TOP-SECRET!!');
  // A plain write changes both.
  linkSync(theirs.tree.at('secret'), theirs.tree.at('app/hard'));
  writeFileSync(theirs.tree.at('app/hard'), 'changed');
  expect(readFileSync(theirs.tree.at('secret'), 'utf8')).toBe('changed');
});

test('H16: a name in another Unicode form is another file, and half a character is none', async () => {
  const composed = `${app}/Caf\u00E9`;
  expect(await ask(theirs, 'read_text_file', { path: composed })).toMatchObject({ text: 'decomposed' });
  expect(await ask(ours, 'read_text_file', { path: composed })).toMatchObject(refused);
  expect(await ask(ours, 'write_file', { path: composed, content: 'composed' })).toMatchObject(done);
  expect(readFileSync(ours.tree.at('app/Cafe\u0301'), 'utf8')).toBe('decomposed');
  const half = { path: `${app}/\uD800` };
  expect(await ask(theirs, 'read_text_file', half)).toMatchObject({ text: 'replacement' });
  expect(await ask(ours, 'read_text_file', half)).toMatchObject(refused);
});

test('H18: a refusal tells neither where a link leads nor whether something is there', async () => {
  expect((await ask(theirs, 'read_text_file', { path: `${app}/leaving` })).text).toContain('$TREE/secret');
  const names = ['leaving', 'gone', '../secret', '../nothing', '../app /private.key'];
  for (const tool of ['read_text_file', 'get_file_info', 'list_directory', 'remove_file']) {
    const texts = await Promise.all(
      names.map(async (name) =>
        (await ask(ours, tool, { path: `${app}/${name}` })).text.replace(`${app}/${name}`, 'PATH'),
      ),
    );
    // A link itself is inside: it can be looked at and removed.
    if (tool === 'remove_file') texts.splice(0, 2);
    expect(new Set(texts)).toEqual(new Set(['Cannot reach "PATH": it is outside the roots\nRoots are: app']));
  }
});

test('H19: a private file stays private while it is replaced', async () => {
  expect(await seenOpen(theirs)).toBeGreaterThan(0);
  expect(await seenOpen(ours)).toBe(0);
  expect(statSync(ours.tree.at('app/a.txt')).mode & 0o777).toBe(0o600);
});

/** How often others could have read a file of mode 600 while it was replaced again and again. */
async function seenOpen(served: Served): Promise<number> {
  const file = served.tree.at('app/a.txt');
  chmodSync(file, 0o600);
  const writes = Array.from({ length: 60 }, (_, turn) =>
    ask(served, 'write_file', { path: `${app}/a.txt`, content: `${turn}` }),
  );
  const state = { isOver: false, seen: 0 };
  const answers = Promise.all(writes).finally(() => (state.isOver = true));
  while (!state.isOver) {
    for (let look = 0; look < 200; look += 1) if ((statSync(file).mode & 0o077) !== 0) state.seen += 1;
    // Requests are sent and answers arrive when this process does nothing else.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const answer of await answers) expect(answer).toMatchObject(done);
  return state.seen;
}

describe('H20: names that Windows reads otherwise', () => {
  const names = [
    'NUL',
    'CON.txt',
    'COM1',
    'a.txt:stream',
    'a.txt::$DATA',
    'a.txt.',
    'a.txt ',
    '.. ',
    'C:a.txt',
    'sub\\b.txt',
  ];

  test.runIf(process.platform !== 'win32').each(names)('%j is a plain name elsewhere', async (name) => {
    const before = listTree(ours.tree.path);
    const path = `${app}/${name}`;
    expect(await ask(ours, 'write_file', { path, content: 'own' })).toMatchObject(done);
    expect(await ask(ours, 'read_text_file', { path })).toMatchObject({ text: 'own' });
    expect(listTree(ours.tree.path).filter((entry) => !before.includes(entry))).toEqual([
      `app/${name} = own`,
    ]);
  });

  test.runIf(process.platform === 'win32').each(names)('%j is refused there', async (name) => {
    for (const tool of ['read_text_file', 'get_file_info'])
      expect(await ask(ours, tool, { path: `${app}\\${name}` })).toMatchObject(refused);
    const write = { path: `${app}\\${name}`, content: 'x' };
    expect(await ask(ours, 'write_file', write)).toMatchObject(refused);
  });
});

interface Expected {
  readonly path?: string;
  readonly text?: string;
  readonly refused?: boolean;
}

test('links by absolute paths lead where they say within the root, and nowhere else', async () => {
  const links = {
    'app/in => $TREE/app/a.txt': { text: 'inside' },
    'app/dir => $TREE/app': { text: 'inside', path: 'dir/sub/../a.txt' },
    'app/out => $TREE/secret': refused,
    'app/near => $TREE/app /private.key': refused,
    'app/climbing => $TREE/app/../secret': refused,
    'app/through => $TREE/app/leaving': refused,
    'app/proc => /proc/self/cwd/secret': refused,
  };
  for (const [entry, { path, ...expected }] of Object.entries<Expected>(links)) {
    ours.tree.add(entry);
    const [name = ''] = entry.slice('app/'.length).split(' => ');
    const answer = await ask(ours, 'read_text_file', { path: `${app}/${path ?? name}` });
    expect({ entry, ...answer }).toMatchObject({ entry, ...expected });
  }
  // There is something to be had behind those that are refused.
  for (const name of ['out', 'climbing', 'through'])
    expect(readFileSync(ours.tree.at('app', name), 'utf8')).toBe('TOP-SECRET!!');
});

test('a link that leads out is followed by no tool, whatever it does', async () => {
  const path = `${app}/leaving`;
  expect(readFileSync(ours.tree.at('app/leaving'), 'utf8')).toBe('TOP-SECRET!!');
  const calls: readonly (readonly [string, Input])[] = [
    ['read_file', { path }],
    ['read_text_file', { path }],
    ['read_media_file', { path }],
    ['write_file', { path, content: 'x' }],
    ['edit_file', { path, edits: [{ oldText: 'TOP', newText: 'x' }] }],
    ['create_directory', { path: `${app}/gone/x` }],
    ['list_directory', { path }],
    ['get_file_info', { path }],
    ['search_files', { path, pattern: '*' }],
    ['search_text', { path, pattern: 'SECRET' }],
    ['copy_file', { source: path, destination: `${app}/copy` }],
    ['write_file', { path: `${app}/gone`, content: 'x' }],
  ];
  for (const [tool, input] of calls)
    expect({ tool, ...(await ask(ours, tool, input)) }).toMatchObject({ tool, ...refused });
  const several = await ask(ours, 'read_multiple_files', { paths: [path, `${app}/a.txt`] });
  expect(several.text).not.toContain('TOP-SECRET');
  expect(readFileSync(ours.tree.at('secret'), 'utf8')).toBe('TOP-SECRET!!');
  expect(readdirSync(ours.tree.path).toSorted()).toEqual(['app', 'app ', "app'", 'secret']);
});
