import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { createMemorySink } from '../../audit/sink.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import { openRootStore } from './open-root-store.ts';
import type { RootStore, RootStoreOptions } from './root-store.ts';
import type { StoreEvent } from './store-core.ts';

const now = (): Date => new Date('2026-11-15T10:00:00.000Z');

function open(tree: TempTree, options: RootStoreOptions = {}): Promise<RootStore> {
  return openRootStore({ file: tree.at('config', 'roots.jsonc'), now, ...options });
}

function textIn(tree: TempTree): string {
  return readFileSync(tree.at('config', 'roots.jsonc'), 'utf8');
}

function write(tree: TempTree, text: string): void {
  const file = tree.at('config', 'roots.jsonc');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Resolves with the next matching event. */
function nextEvent(
  store: RootStore,
  wanted: (event: StoreEvent) => boolean = () => true,
): Promise<StoreEvent> {
  return new Promise((resolve) => {
    const stop = store.subscribe((event) => {
      if (!wanted(event)) return;
      stop();
      resolve(event);
    });
  });
}

describe('a store', () => {
  test('is empty without a file, and reading does not create one', async () => {
    using tree = tempTree();
    await using store = await open(tree);
    expect([store.list(), store.revision, store.damage]).toEqual([[], 0, undefined]);
    expect(readdirSync(tree.path)).toEqual([]);
  });

  test('stores a directory with invisible characters in its name under an escaped one', async () => {
    using tree = tempTree(['a\u202eb\tc/']);
    await using store = await openRootStore({ file: tree.at('roots.jsonc') });
    await store.add({ path: tree.at('a\u202eb\tc') });
    await using again = await openRootStore({ file: tree.at('roots.jsonc') });
    const [root] = again.list();
    expect(root?.path).toBe(tree.at('a\u202eb\tc'));
    expect(root?.name).toBe('a\\u{202e}b\\u{9}c');
  });

  test('stores a root with its date, readable by the owner only', async () => {
    using tree = tempTree(['app/']);
    {
      await using store = await open(tree);
      const added = await store.add({ path: tree.at('app'), allow: ['read'] });
      expect(added).toEqual({
        uri: toFileUri(tree.at('app')),
        path: tree.at('app'),
        name: 'app',
        kind: 'unknown',
        added: '2026-11-15T10:00:00.000Z',
        permissions: { allow: ['read'] },
        servers: {},
        grants: [],
      });
      expect(store.revision).toBe(1);
    }
    expect(textIn(tree).replaceAll(tree.path, '/tree')).toMatchInlineSnapshot(`
      "// The roots that MCP servers may see, what they may do there, and what you answered when asked.
      // Edit it as you like: comments stay, and open programs follow within a second.
      {
        "version": 1,
        "revision": 1,
        "roots": [
          {
            "path": "/tree/app",
            "name": "app",
            "added": "2026-11-15T10:00:00.000Z",
            "allow": ["read"]
          }
        ]
      }
      "
    `);
    await using again = await open(tree);
    expect(again.get('app')?.path).toBe(tree.at('app'));
    expect(again.get(tree.at('app/'))).toBe(again.get('app'));
    expect(again.get(toFileUri(tree.at('app')))).toBe(again.get('app'));
    expect(again.get('other')).toBeUndefined();
  });

  test('picks free names, and refuses taken ones', async () => {
    using tree = tempTree(['a/app/', 'b/app/', 'c/']);
    await using store = await open(tree);
    await store.add(tree.at('a', 'app'));
    await expect(store.add(tree.at('a', 'app'))).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect((await store.add(tree.at('b', 'app'))).name).toBe('app-2');
    await expect(store.add({ path: tree.at('c'), name: 'app' })).rejects.toMatchObject({
      code: 'INVALID_NAME',
    });
    await expect(store.rename('app-2', 'app')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    await expect(store.rename('app-2', 'a\nb')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    expect((await store.rename('app-2', 'other')).path).toBe(tree.at('b', 'app'));
    expect(store.list().map(({ name }) => name)).toEqual(['app', 'other']);
  });

  test.each([
    ['http://example.com/path', 'INVALID_URI'],
    ['relative/path', 'INVALID_PATH'],
    ['/', 'INVALID_PATH'],
    ['file:///%zz%', 'INVALID_URI'],
    ['/a/../b', 'INVALID_PATH'],
    ['/no/such/directory', 'NOT_FOUND'],
  ])('refuses to add %s with %s', async (path, code) => {
    using tree = tempTree();
    await using store = await open(tree);
    await expect(store.add({ path })).rejects.toMatchObject({ code });
    expect(readdirSync(tree.path)).toEqual([]);
  });

  test('adds a missing directory only if told to', async () => {
    using tree = tempTree();
    await using store = await open(tree);
    expect(await store.add({ path: tree.at('later'), mustExist: false })).toMatchObject({ name: 'later' });
  });

  test('removes a root with its permissions and grants', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.add(tree.at('docs'));
    await store.limit('files', ['app', 'docs']);
    await store.allow('app', { server: 'files' });
    expect((await store.remove('app')).grants).toHaveLength(1);
    expect(store.snapshot()).toMatchObject({
      roots: [{ name: 'docs' }],
      servers: { files: { roots: [tree.at('docs')] } },
    });
    await expect(store.remove('app')).rejects.toMatchObject({
      code: 'UNKNOWN_ROOT',
      data: { known: ['docs'] },
    });
    await store.limit('files', undefined);
    expect(textIn(tree)).not.toContain('"servers"');
  });

  test('allows and denies, for all and for one server', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.allow('app', { operations: ['write'] });
    await store.deny('app', { globs: ['secret/**'] });
    await store.deny('app', { operations: ['write'], server: 'files' });
    await store.deny('app', { operations: ['read'], globs: ['*.log'], server: 'files' });
    expect(store.get('app')).toMatchObject({
      permissions: { allow: ['read', 'list', 'write'], deny: ['secret/**'] },
      servers: { files: { allow: ['read', 'list'], deny: [{ glob: '*.log', operations: ['read'] }] } },
    });
    await store.allow('app', { globs: ['secret/**'] });
    expect(store.get('app')?.permissions).toEqual({ allow: ['read', 'list', 'write'] });
    await expect(store.deny('app', { globs: ['['] })).rejects.toMatchObject({ code: 'INVALID_GLOB' });
  });

  test('remembers and forgets answers', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.remember('app', {
      server: 'a',
      fingerprint: 'x',
      answer: 'always',
      date: now().toISOString(),
    });
    await store.deny('app', { server: 'a' });
    expect(store.get('app')?.grants).toEqual([{ server: 'a', answer: 'never', date: now().toISOString() }]);
    await store.forget('app', 'a');
    expect(textIn(tree)).not.toContain('grants');
  });

  test('writes nothing if nothing changes', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.rename('app', 'app');
    expect(store.revision).toBe(1);
  });

  test('refuses changes once it is closed, and leaves nothing open', async () => {
    using tree = tempTree(['app/']);
    const before = openHandles(tree.path);
    const store = await open(tree);
    await store.add(tree.at('app'));
    await store.close();
    await store.close();
    await expect(store.rename('app', 'x')).rejects.toMatchObject({ code: 'CLOSED' });
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('follows a link to its file', async () => {
    using tree = tempTree([
      'app/',
      'dotfiles/roots.jsonc = { "roots": [] }',
      'config/roots.jsonc => ../dotfiles/roots.jsonc',
    ]);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    expect(readFileSync(tree.at('dotfiles', 'roots.jsonc'), 'utf8')).toContain('"app"');
    expect(textIn(tree)).toContain('"app"');
  });

  test.each([
    ['the file', ['config/', 'config/roots.jsonc => ../dotfiles/roots.jsonc']],
    ['its directory', ['config => dotfiles']],
  ])('creates its file where a link to %s leads', async (_what, entries) => {
    using tree = tempTree(['app/', ...entries]);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    expect(readFileSync(tree.at('dotfiles', 'roots.jsonc'), 'utf8')).toContain('"app"');
    expect(textIn(tree)).toContain('"app"');
  });

  test('refuses a directory instead of its file', async () => {
    using tree = tempTree(['config/roots.jsonc/']);
    await expect(open(tree)).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
  });
});

describe('undo', () => {
  test('restores the text including comments', async () => {
    using tree = tempTree(['app/', 'docs/']);
    write(
      tree,
      `{\n  "version": 1,\n  "revision": 5,\n  // mine\n  "roots": [\n    // the app\n    { "path": "${tree.at('app')}" } // yes\n  ]\n}\n`,
    );
    await using store = await open(tree);
    const before = textIn(tree);
    await store.remove('app');
    await store.add(tree.at('docs'));
    await store.undo();
    await store.undo();
    expect(textIn(tree)).toBe(before.replace('5', '9'));
    await expect(store.undo()).rejects.toMatchObject({ code: 'CANNOT_UNDO' });
  });

  test('undoes only its own change if others changed something since', async () => {
    using tree = tempTree(['app/', 'docs/', 'more/']);
    await using store = await open(tree);
    await using other = await open(tree);
    await store.add(tree.at('app'));
    await store.add(tree.at('docs'));
    await store.remove('app');
    await other.add(tree.at('more'));
    await store.undo();
    expect(store.list().map(({ name }) => name)).toEqual(['app', 'docs', 'more']);
  });

  test('is refused if the same entry was changed again', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await using other = await open(tree);
    await store.add(tree.at('app'));
    await other.allow('app', { operations: ['write'] });
    await expect(store.undo()).rejects.toMatchObject({ code: 'CANNOT_UNDO' });
    expect((await store.refresh()).roots).toHaveLength(1);
  });

  test('undoes permissions and server lists', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await using other = await open(tree);
    await store.add(tree.at('app'));
    await store.limit('files', ['app']);
    await other.limit('search', []);
    await store.undo();
    expect(store.snapshot().servers).toEqual({ search: { roots: [] } });
  });
});

describe('a file that is edited by hand', () => {
  const valid = (tree: TempTree, name: string): string =>
    `{ "version": 1, "revision": 0, "roots": [{ "path": "${tree.at('app')}", "name": "${name}" }] }`;

  test.each([
    ['writes over', (file: string, text: string) => writeFileSync(file, text)],
    [
      'replaces by another',
      (file: string, text: string) => {
        writeFileSync(`${file}~`, text);
        renameSync(`${file}~`, file);
      },
    ],
    [
      'moves away first',
      (file: string, text: string) => {
        renameSync(file, `${file}.bak`);
        writeFileSync(file, text);
      },
    ],
    [
      'removes first',
      (file: string, text: string) => {
        unlinkSync(file);
        writeFileSync(file, text);
      },
    ],
  ])('with an editor that %s is followed within a second', async (_how, save) => {
    using tree = tempTree(['app/']);
    write(tree, valid(tree, 'one'));
    await using store = await open(tree);
    for (const name of ['two', 'three']) {
      const event = nextEvent(store);
      const started = performance.now();
      save(tree.at('config', 'roots.jsonc'), valid(tree, name));
      expect(await event).toMatchObject({ by: 'elsewhere', edited: true, damage: undefined });
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(store.list()).toMatchObject([{ name }]);
    }
    expect(store.revision).toBe(2);
  });

  test('is followed even without file system events', async () => {
    using tree = tempTree(['app/']);
    // The directory is created after the store was opened, so nothing watches it.
    await using store = await open(tree);
    const event = nextEvent(store);
    const started = performance.now();
    write(tree, valid(tree, 'one'));
    expect(await event).toMatchObject({ snapshot: { roots: [{ name: 'one' }] } });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('keeps its comments through every change', async () => {
    using tree = tempTree(['app/', 'docs/']);
    write(
      tree,
      `// top\n{\n\t"version": 1, // one\n\t"roots": [\n\t\t// about app\n\t\t{ "path": "${tree.at('app')}" }, /* x */\n\t],\n}\n// end\n`,
    );
    await using store = await open(tree);
    await store.add(tree.at('docs'));
    await store.allow('app', { operations: ['write'] });
    await store.rename('docs', 'texts');
    await store.limit('files', ['app']);
    await store.remove('texts');
    for (const comment of ['// top', '// one', '// about app', '/* x */', '// end'])
      expect(textIn(tree)).toContain(comment);
    expect(textIn(tree)).not.toMatch(/\n {2}/);
  });

  test('may have a byte order mark and Windows line ends', async () => {
    using tree = tempTree(['app/']);
    write(tree, '\uFEFF{\r\n  "version": 1,\r\n  "roots": []\r\n}\r\n');
    await using store = await open(tree);
    await store.add(tree.at('app'));
    expect(textIn(tree)).toMatch(/^\uFEFF\{\r\n/);
    expect(textIn(tree)).not.toMatch(/[^\r]\n/);
  });

  test('causes no event if only a comment changes', async () => {
    using tree = tempTree(['app/']);
    write(tree, valid(tree, 'one'));
    await using store = await open(tree);
    const listener = vi.fn<(event: StoreEvent) => void>();
    store.subscribe(listener);
    write(tree, `// hello\n${valid(tree, 'one')}`);
    await store.refresh();
    await store.rename('one', 'two');
    expect(listener).toHaveBeenCalledOnce();
    expect(textIn(tree)).toMatch(/^\/\/ hello\n/);
  });

  test('that is deleted leaves an empty store', async () => {
    using tree = tempTree(['app/']);
    write(tree, valid(tree, 'one'));
    await using store = await open(tree);
    const event = nextEvent(store);
    unlinkSync(tree.at('config', 'roots.jsonc'));
    expect((await event).snapshot.roots).toEqual([]);
  });
});

describe('a damaged file', () => {
  const good = '{ "version": 1, "revision": 3, "roots": [{ "path": "/srv/app" }] }';

  test.each([
    ['', 1, 1, 'value expected'],
    ['{\n  "version": 1\n  "roots": []\n}', 3, 3, 'comma expected'],
    [
      '{ "version": 1,\n "roots": [{ "path": "/srv/app", "alow": [] }] }',
      2,
      42,
      'roots[0].alow: it is unknown (did you mean "allow"?)',
    ],
    [
      '{ "version": 1, "roots": [{ "path": "/a", "allow": ["delete"] }] }',
      1,
      53,
      'roots[0].allow[0]: it is "delete"; use one of: read',
    ],
    ['{ "version": 1, "roots": [{ "path": "/a", "deny": ["a", "["] }] }', 1, 57, 'bracket or brace'],
    ['{ "version": 1, "roots": [{ "uri": "http://example.com/path" }] }', 1, 36, 'its scheme is not "file"'],
    ['{ "version": 1, "roots": [{ "path": "a/b" }] }', 1, 37, 'it is not absolute'],
    ['{ "version": 1, "roots": [{ "path": "/a" }, { "path": "/a/" }] }', 1, 45, 'appears twice'],
    [
      '{ "version": 1, "roots": [{ "path": "/a", "name": "x" }, { "path": "/b", "name": "x" }] }',
      1,
      58,
      'is called "x"',
    ],
    [
      '{ "version": 1, "roots": [{ "path": "/a", "deny": [], "deny": ["x"] }] }',
      1,
      55,
      'this key appears twice',
    ],
    [
      '{ "version": 1, "roots": [{ "path": "/a", "grants": [{ "server": "x" }] }] }',
      1,
      54,
      'roots[0].grants[0]: "answer" is missing',
    ],
    [
      '{ "version": 1, "roots": [{ "path": "/a", "grants": [{ "server": "x", "answer": "yes", "date": "2026-01-01" }] }] }',
      1,
      81,
      'roots[0].grants[0].answer: it is "yes"; use one of: always, never',
    ],
    ['{ "version": 1, "roots": [{ "path": "/a", "added": "yesterday" }] }', 1, 52, 'a time such as'],
    ['{ "version": 1, "roots": {} }', 1, 26, 'roots: it is an object, not a list'],
    [
      '{ "version": 1, "servers": { "x": { "roots": "all" } }, "roots": [] }',
      1,
      46,
      'servers.x.roots: it is a string, not a list',
    ],
    ['{ "version": "1", "roots": [] }', 1, 14, 'a non-negative integer'],
    ['[]', 1, 1, 'at the top: it is a list, not an object'],
    ['{ "version": 1 }', 1, 1, '"roots" is missing'],
  ])('is reported with line and column: %j', async (text, line, column, reason) => {
    using tree = tempTree(['app/']);
    write(tree, good);
    await using store = await open(tree);
    const event = nextEvent(store);
    write(tree, text);
    const { damage, snapshot } = await event;
    expect(damage).toMatchObject({
      code: 'STORE_DAMAGED',
      data: { line, column, reason: expect.stringContaining(reason) },
    });
    // The last good copy is served, and nothing is written.
    expect(snapshot.roots).toMatchObject([{ path: '/srv/app' }]);
    expect(store.list()).toMatchObject([{ path: '/srv/app' }]);
    await expect(store.add(tree.at('app'))).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await expect(store.undo()).rejects.toMatchObject({ code: 'CANNOT_UNDO' });
    expect(textIn(tree)).toBe(text);
    await expect(open(tree)).rejects.toMatchObject({ code: 'STORE_DAMAGED', data: { line, column } });
    const repaired = nextEvent(store);
    write(tree, good);
    expect(await repaired).toMatchObject({ damage: undefined });
    await store.add(tree.at('app'));
    expect(store.list()).toHaveLength(2);
  });

  test('is not reported while an editor is saving it', async () => {
    using tree = tempTree();
    write(tree, good);
    await using store = await open(tree);
    const events: StoreEvent[] = [];
    store.subscribe((event) => events.push(event));
    const event = nextEvent(store);
    write(tree, '');
    await store.refresh();
    write(tree, good.slice(0, 20));
    await store.refresh();
    write(tree, good.replace('app', 'other'));
    expect((await event).snapshot.roots).toMatchObject([{ path: '/srv/other' }]);
    expect(events.map(({ damage }) => damage)).toEqual([undefined]);
  });
});

describe('versions', () => {
  test('a newer file is refused and left as it is', async () => {
    using tree = tempTree(['app/']);
    const text = '{ "version": 2, "roots": "in a way that nobody knows yet" }';
    write(tree, text);
    await expect(open(tree)).rejects.toMatchObject({
      code: 'STORE_TOO_NEW',
      data: { version: 2, known: 1 },
      message: expect.stringContaining('it has version 2, and 1 is the latest known here'),
    });
    write(tree, '{ "version": 1, "roots": [{ "path": "/srv/app" }] }');
    await using store = await open(tree);
    const event = nextEvent(store);
    write(tree, text);
    expect((await event).damage).toMatchObject({ code: 'STORE_TOO_NEW' });
    await expect(store.add(tree.at('app'))).rejects.toMatchObject({ code: 'STORE_TOO_NEW' });
    expect(store.list()).toMatchObject([{ path: '/srv/app' }]);
    expect(textIn(tree)).toBe(text);
  });

  test('an older file is read as it is, and migrated by the first change, after a backup', async () => {
    using tree = tempTree(['app/']);
    const text = `{\n  // from a client\n  "roots": [\n    { "uri": "file:///srv/one", "name": "One" }, // first\n    "/srv/two"\n  ]\n}\n`;
    write(tree, text);
    await using store = await open(tree);
    expect(store.list()).toMatchObject([
      { path: '/srv/one', name: 'One', permissions: {} },
      { path: '/srv/two', name: 'two' },
    ]);
    expect(textIn(tree)).toBe(text);
    await store.add(tree.at('app'));
    expect(textIn(tree).replaceAll(tree.path, '/tree')).toMatchInlineSnapshot(`
      "{
        // from a client
        "roots": [
          { "uri": "file:///srv/one", "name": "One" }, // first
          {
            "path": "/srv/two"
          },
          {
            "path": "/tree/app",
            "name": "app",
            "added": "2026-11-15T10:00:00.000Z"
          }
        ],
        "version": 1,
        "revision": 1
      }
      "
    `);
    expect(readFileSync(tree.at('config', 'roots.jsonc.v0.bak'), 'utf8')).toBe(text);
    await using again = await open(tree);
    expect(again.list()).toHaveLength(3);
  });
});

describe('several open stores', () => {
  test('see the changes of each other within a second', async () => {
    using tree = tempTree(['app/', 'config/']);
    await using one = await open(tree);
    await using other = await open(tree);
    const event = nextEvent(other);
    const started = performance.now();
    await one.add(tree.at('app'));
    expect(await event).toMatchObject({ by: 'elsewhere', edited: false, snapshot: { revision: 1 } });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(other.list()).toEqual(one.list());
  });

  test('change the file at once without losing anything', async () => {
    using tree = tempTree();
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(tree)));
    await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 10 }, (_, count) =>
          store.add({ path: tree.at(`${index}-${count}`), mustExist: false }),
        ),
      ),
    );
    for (const store of stores) {
      await store.refresh();
      expect([store.list().length, store.revision]).toEqual([40, 40]);
      await store.close();
    }
  });

  test('do not overwrite an editor that saves in between', async () => {
    using tree = tempTree(['app/']);
    write(tree, '{ "version": 1, "revision": 0, "roots": [] }');
    await using store = await open(tree, { follow: false });
    const adding = store.add(tree.at('app'));
    write(tree, '// saved\n{ "version": 1, "revision": 0, "roots": [] }');
    await adding;
    expect(textIn(tree)).toMatch(/^\/\/ saved\n/);
    expect(store.list()).toHaveLength(1);
  });

  test('a failing listener does not affect the others', async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    const warned = new Promise((resolve) => process.once('warning', resolve));
    store.subscribe(() => {
      throw new Error('broken listener');
    });
    const heard = nextEvent(store);
    await store.add(tree.at('app'));
    expect(await heard).toMatchObject({ by: 'here' });
    expect(await warned).toMatchObject({ message: 'broken listener' });
  });
});

describe('the audit of a store', () => {
  test('has an entry for every change, failed ones too', async () => {
    using tree = tempTree(['app/']);
    const audit = createMemorySink();
    await using store = await open(tree, { audit, caller: 'cli' });
    await store.add(tree.at('app'));
    await store.rename('app', 'x');
    await store.remove('y').catch(() => {});
    await store.undo();
    expect(
      audit.entries().map(({ event, caller, root, rule, outcome, code, revision }) => ({
        event,
        caller,
        root,
        rule,
        outcome,
        code,
        revision,
      })),
    ).toEqual([
      { event: 'change', caller: 'cli', rule: 'store:add', outcome: 'done', revision: 1 },
      { event: 'change', caller: 'cli', root: 'app', rule: 'store:rename', outcome: 'done', revision: 2 },
      {
        event: 'change',
        caller: 'cli',
        rule: 'store:remove',
        outcome: 'failed',
        code: 'UNKNOWN_ROOT',
        revision: 2,
      },
      { event: 'change', caller: 'cli', rule: 'store:undo', outcome: 'done', revision: 3 },
    ]);
  });

  test('has an entry for an edit by hand', async () => {
    using tree = tempTree();
    write(tree, '{ "version": 1, "roots": [] }');
    const audit = createMemorySink();
    await using store = await open(tree, { audit });
    const event = nextEvent(store);
    write(tree, '{ "version": 1, "roots": [{ "path": "/srv/app" }] }');
    await event;
    expect(audit.entries()).toMatchObject([{ event: 'change', rule: 'store:edited', outcome: 'done' }]);
  });

  test('that cannot be written prevents changes', async () => {
    using tree = tempTree(['app/']);
    const audit = createMemorySink();
    await audit.close();
    await using store = await open(tree, { audit });
    await expect(store.add(tree.at('app'))).rejects.toMatchObject({ code: 'AUDIT_FAILED' });
    expect(readdirSync(tree.path)).toEqual(['app']);
  });
});

test('the file is in the config directory of the user, or in ROOTWARD_HOME', async () => {
  using tree = tempTree(['app/']);
  vi.stubEnv('ROOTWARD_HOME', tree.at('home'));
  await using store = await openRootStore().finally(() => vi.unstubAllEnvs());
  await store.add(tree.at('app'));
  expect(readdirSync(join(tree.path, 'home'))).toEqual(['roots.jsonc', 'roots.jsonc.lock']);
});
