import { execFileSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../test/support/trees/boundary-context.ts';
import { listTree } from '../../test/support/trees/list-tree.ts';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import { RootwardError } from '../errors.ts';
import { type TempTree, tempTree } from '../testing/temp-tree.ts';
import { openBoundary, openWith } from './open-boundary.ts';
import { bestLevel } from './system/driver.ts';

describe('openBoundary', () => {
  test('uses the best level of the system', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    expect(boundary.level).toBe(bestLevel(process.platform));
  });

  test('refuses a weaker level than required', async () => {
    using tree = tempTree();
    const required = process.platform === 'linux' ? 'kernel' : bestLevel(process.platform);
    await using boundary = await openBoundary(tree.path, { requireLevel: required });
    expect(boundary.level).toBe(required);
    await using lenient = await openBoundary(tree.path, { requireLevel: 'verified' });
    expect(lenient.level).toBe(bestLevel(process.platform));
    if (required === 'kernel') return;
    await expect(openBoundary(tree.path, { requireLevel: 'kernel' })).rejects.toMatchObject({
      code: 'WEAK_LEVEL',
    });
  });

  test('accepts a path relative to the process, and names the root after its last name', async () => {
    using tree = tempTree(['app/f']);
    await using boundary = await openBoundary(relative(process.cwd(), tree.at('app')));
    expect(boundary.name).toBe('app');
    expect(await boundary.readText('f')).toBe('app/f');
  });

  test('accepts the whole file system', async () => {
    await using boundary = await openBoundary('/');
    expect(boundary.name).toBe('/');
    expect((await boundary.stat('.')).kind).toBe('directory');
  });
});

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([
    ['missing', 'NOT_FOUND'],
    ['dangling', 'NOT_FOUND'],
    ['f/x', 'NOT_A_DIRECTORY'],
    ['loop', 'TOO_MANY_LINKS'],
    ['pipe', 'SPECIAL_FILE'],
  ])('refuses %s with %s, and repeats the path as given', (name, code) => {
    using tree = tempTree(['f', 'dangling => missing', 'loop => loop', 'pipe|']);
    expect(() => openWith(driver, tree.at(name), {})).toThrow(
      expect.objectContaining({ code, data: expect.objectContaining({ verb: 'open', path: tree.at(name) }) }),
    );
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('follows the links in the path itself, once', async () => {
    using tree = tempTree(['one/f', 'two/f', 'link => one']);
    await using boundary = openWith(driver, tree.at('link'), {});
    unlinkSync(tree.at('link'));
    symlinkSync('two', tree.at('link'));
    expect(await boundary.readText('f')).toBe('one/f');
  });
});

test.runIf(process.platform === 'linux')('follows its directory when that is renamed', async () => {
  using tree = tempTree(['app/f']);
  await using boundary = await openBoundary(tree.at('app'));
  renameSync(tree.at('app'), tree.at('moved'));
  tree.add('app/f = another');
  expect(await boundary.readText('f')).toBe('app/f');
  await boundary.write('g', 'new');
  expect(readdirSync(tree.at('moved'))).toEqual(['f', 'g']);
});

describe.each(drivers)('one file as a root, with the %s driver', (_name, driver) => {
  const entries = ['d/notes.txt = old', 'd/other', 'link => d/notes.txt'];

  test.each(['.', './', 'notes.txt', './notes.txt'])('is reached as %s', async (path) => {
    using tree = tempTree(entries);
    await using boundary = openWith(driver, tree.at('d', 'notes.txt'), {});
    expect(boundary).toMatchObject({ kind: 'file', name: 'notes.txt' });
    expect(await boundary.readText(path)).toBe('old');
    expect(await boundary.stat(path)).toMatchObject({ kind: 'file' });
    await boundary.write(path, 'new');
    await boundary.append(path, '!');
    expect(listTree(tree.at('d'))).toEqual(['notes.txt = new!', 'other = d/other']);
  });

  test('is reached through a link under its real name', async () => {
    using tree = tempTree(entries);
    await using boundary = openWith(driver, tree.at('link'), {});
    expect(boundary.name).toBe('link');
    expect(await boundary.readText('notes.txt')).toBe('old');
    await expect(boundary.readText('link')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  });

  test.each(['other', 'd', '..', '../d/notes.txt', 'notes.txt/..', 'notes.txt/x', 'new', '/etc/passwd'])(
    'is not a way to %s',
    async (path) => {
      using tree = tempTree(entries);
      await using boundary = openWith(driver, tree.at('d', 'notes.txt'), { name: 'notes' });
      const outside = { code: 'OUTSIDE_ROOTS', data: { path, roots: ['notes'] } };
      const content = listTree(tree.path);
      await expect(boundary.readText(path)).rejects.toMatchObject(outside);
      await expect(boundary.write(path, 'x', { parents: true })).rejects.toMatchObject(outside);
      await expect(boundary.stat(path)).rejects.toMatchObject(outside);
      await expect(boundary.remove(path)).rejects.toMatchObject(outside);
      await expect(boundary.list(path)).rejects.toMatchObject(outside);
      await expect(boundary.rename('.', path)).rejects.toMatchObject({
        code: expect.stringMatching(/OUTSIDE_ROOTS|IS_ROOT/),
      });
      await expect(boundary.copy('.', path)).rejects.toMatchObject(outside);
      expect(listTree(tree.path)).toEqual(content);
    },
  );

  test.each(['.', 'notes.txt'])('is not removed, moved or given another mode as %s', async (path) => {
    using tree = tempTree([...entries, 'two/x']);
    await using boundary = openWith(driver, tree.at('d', 'notes.txt'), {});
    await using two = openWith(driver, tree.at('two'), {});
    const root = { code: 'IS_ROOT' };
    const content = listTree(tree.path);
    await expect(boundary.remove(path)).rejects.toMatchObject(root);
    await expect(boundary.remove(path, { tree: true })).rejects.toMatchObject(root);
    await expect(boundary.rename(path, path, { replace: true })).rejects.toMatchObject(root);
    await expect(boundary.rename(path, 'new', { into: two })).rejects.toMatchObject(root);
    await expect(two.rename('x', path, { into: boundary, replace: true })).rejects.toMatchObject(root);
    await expect(boundary.changeMode(path, 0o600)).rejects.toMatchObject(root);
    expect(listTree(tree.path)).toEqual(content);
  });

  test('is not a directory', async () => {
    using tree = tempTree(entries);
    await using boundary = openWith(driver, tree.at('d', 'notes.txt'), {});
    const notDirectory = { code: 'NOT_A_DIRECTORY' };
    await expect(boundary.list('.')).rejects.toMatchObject(notDirectory);
    await expect(boundary.walk('.').batches().next()).rejects.toMatchObject(notDirectory);
    expect(() => boundary.watch('.')).toThrow(expect.objectContaining(notDirectory));
    await expect(boundary.makeDirectory('.')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  });

  test('does not follow a link that took its place', async () => {
    using tree = tempTree(entries);
    await using boundary = openWith(driver, tree.at('d', 'notes.txt'), {});
    unlinkSync(tree.at('d', 'notes.txt'));
    symlinkSync('other', tree.at('d', 'notes.txt'));
    await expect(boundary.readText('.')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    await expect(boundary.write('.', 'x')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(readFileSync(tree.at('d', 'other'), 'utf8')).toBe('d/other');
  });
});

describe('options', () => {
  test('hard links are allowed unless they are refused', async () => {
    using tree = tempTree(['f']);
    linkSync(tree.at('f'), tree.at('second'));
    await using lenient = await openBoundary(tree.path);
    await using strict = await openBoundary(tree.path, { hardLinks: 'refuse' });
    expect(await lenient.readText('f')).toBe('f');
    await expect(strict.readText('f')).rejects.toMatchObject({ code: 'HARD_LINK' });
    expect(await strict.stat('f')).toMatchObject({ links: 2 });
  });

  test('absolute links are refused unless they are rerooted', async () => {
    using tree = tempTree([
      'app/f',
      'app/link => $TREE/app/f',
      'app/other => $TREE/alias/f',
      'app/out => $TREE/secret',
      'alias => app',
      'secret',
    ]);
    await using strict = await openBoundary(tree.at('app'));
    await using lenient = await openBoundary(tree.at('alias'), { absoluteLinks: 'reroot' });
    await expect(strict.readText('link')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(await lenient.readText('link')).toBe('app/f');
    expect(await lenient.readText('other')).toBe('app/f');
    await expect(lenient.readText('out')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  });

  test('limits apply to every call', async () => {
    using tree = tempTree(['a = 12345', 'b']);
    await using boundary = await openBoundary(tree.path, { limits: { listEntries: 1 } });
    expect(await boundary.readText('a')).toBe('12345');
    expect((await boundary.list('.')).truncated).toBe(true);
  });

  test('a guard is asked from the start', async () => {
    using tree = tempTree(['a']);
    await using boundary = await openBoundary(tree.path, { guard: () => new Error('no') });
    await expect(boundary.readText('a')).rejects.toThrow('no');
  });
});

/** Shows a directory or file at a second place until the end of the scope. */
function bind(tree: TempTree, from: string, to: string): Disposable {
  execFileSync('mount', ['--bind', tree.at(from), tree.at(to)], { stdio: 'pipe' });
  return { [Symbol.dispose]: () => void execFileSync('umount', [tree.at(to)]) };
}

function mayMount(): boolean {
  using tree = tempTree(['a/', 'b/']);
  try {
    bind(tree, 'a', 'b')[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/** The code that something is refused with; `undefined` if it is not. */
async function codeOf(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt();
  } catch (error) {
    return RootwardError.is(error) ? error.code : String(error);
  }
  return undefined;
}

describe.skipIf(!mayMount())('mounts (needs Linux and the right to "mount --bind")', () => {
  const entries = ['ROOT/d/', 'ROOT/x/d/', 'ROOT/f', 'ROOT/keep', 'secret/key', 'secret/sub/'];

  function mounted() {
    const tree = tempTree(entries);
    const mounts = [
      bind(tree, 'secret', 'ROOT/d'),
      bind(tree, 'secret', 'ROOT/x/d'),
      bind(tree, 'secret/key', 'ROOT/f'),
    ];
    return {
      tree,
      [Symbol.dispose]: () => {
        for (const mount of mounts) mount[Symbol.dispose]();
        tree[Symbol.dispose]();
      },
    };
  }

  test('are crossed unless they are refused', async () => {
    using scene = mounted();
    await using boundary = await openBoundary(scene.tree.at('ROOT'));
    expect(await boundary.readText('d/key')).toBe('secret/key');
    expect(await boundary.readText('f')).toBe('secret/key');
  });

  test('are not entered, listed, read or written where they are refused', async () => {
    using scene = mounted();
    await using boundary = await openBoundary(scene.tree.at('ROOT'), { mounts: 'refuse' });
    const content = listTree(scene.tree.path);
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      'a file within': () => boundary.readText('d/key'),
      'a new file within': () => boundary.write('d/new', 'x'),
      'a new directory within': () => boundary.makeDirectory('d/new'),
      'a listing': () => boundary.list('d'),
      'a listing of a directory within': () => boundary.list('d/sub'),
      'a walk': () => boundary.walk('d').batches().next(),
      'a file that is a mount': () => boundary.readText('f'),
      'more for a file that is a mount': () => boundary.append('f', 'x'),
      'the mode of a file that is a mount': () => boundary.changeMode('f', 0o600),
      'a copy of a file that is a mount': () => boundary.copy('f', 'copy'),
      'a tree with a mount in it': () => boundary.remove('x', { tree: true }),
      'the mount': () => boundary.remove('d', { tree: true }),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      expect([what, await codeOf(attempt)]).toEqual([what, 'OTHER_MOUNT']);
    }
    expect(() => boundary.watch('d')).toThrow(expect.objectContaining({ code: 'OTHER_MOUNT' }));
    expect(listTree(scene.tree.path)).toEqual(content);
    expect(await boundary.readText('keep')).toBe('ROOT/keep');
  });

  test('are reported by the path as asked', async () => {
    using scene = mounted();
    scene.tree.add('ROOT/link => x/d');
    await using boundary = await openBoundary(scene.tree.at('ROOT'), { mounts: 'refuse' });
    await expect(boundary.list('./link')).rejects.toThrow('Cannot list "./link": it is on another mount');
  });

  test('are entries that a walk does not enter', async () => {
    using scene = mounted();
    await using boundary = await openBoundary(scene.tree.at('ROOT'), { mounts: 'refuse' });
    const walk = boundary.walk('.');
    const found: string[] = [];
    for await (const { path } of walk) found.push(path);
    expect(found.toSorted()).toEqual(['d', 'f', 'keep', 'x', 'x/d']);
    expect(walk.skipped).toBe(2);
  });
});
