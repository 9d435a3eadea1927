import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../../test/support/trees/boundary-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { BoundaryContext, Guard } from '../step/context.ts';
import { procDriver } from '../system/proc-driver.ts';
import { findMasks, type FindMasksOptions } from './find-masks.ts';

const request = { operation: 'execute', verb: 'run a program in', path: '.' } as const;

/** What is found, as `cover path`. */
async function find(
  path: string,
  changes: Partial<BoundaryContext> = {},
  options: Partial<FindMasksOptions> = {},
): Promise<readonly string[]> {
  using context = openContext(path, changes);
  using masks = await findMasks(context, { writable: true, request, ...options });
  return masks.masks.map(({ cover, path: where }) => `${cover} ${where}`);
}

const noEnv: Guard = (_, relative) => (relative.endsWith('.env') ? new Error('no') : undefined);
const noGitWrites: Guard = (operation, relative) =>
  operation === 'write' && relative.endsWith('.git') ? new Error('no') : undefined;

describe.runIf(process.platform === 'linux')('masks', () => {
  test('are none if nothing is refused', async () => {
    using tree = tempTree(['a/b.txt', 'c/', 'link => a']);
    expect(await find(tree.path)).toEqual([]);
  });

  test('of a directory with very many entries are looked for in turns', async () => {
    using tree = tempTree(['one', 'many/']);
    for (let index = 0; index < 6_000; index += 1)
      linkSync(tree.at('one'), tree.at(`many/${index}-${'long'.repeat(20)}`));
    let others = 0;
    let before = -1;
    const guard: Guard = (_, relative) => {
      // Each entry takes a moment, and the last one sees whether others had their turn by then.
      if (relative.startsWith('many/')) before = others;
      for (const end = performance.now() + 0.01; performance.now() < end;);
      return undefined;
    };
    setImmediate(() => (others += 1));
    expect(await find(tree.path, { guard })).toEqual([]);
    expect(before).toBe(1);
  });

  test('are impossible on a disk that opens hidden files under other names', async () => {
    using tree = tempTree(['a/.env', 'b']);
    const driver = { ...procDriver, isExact: () => false };
    await expect(find(tree.path, { driver, guard: noEnv })).rejects.toMatchObject({ code: 'CANNOT_CONFINE' });
    expect(await find(tree.at('b', '..'), { driver })).toEqual([]);
  });

  test('hide refused entries and pin the directories around them, outer ones first', async () => {
    using tree = tempTree(['a/b/.env', 'a/b/2.env', 'a/c/d', '.env', 'e/.env/f']);
    const found = await find(tree.path, { guard: noEnv });
    expect(found.toSorted()).toEqual(
      ['hide .env', 'pin a', 'pin a/b', 'hide a/b/.env', 'hide a/b/2.env', 'pin e', 'hide e/.env'].toSorted(),
    );
    expect(found.indexOf('pin a')).toBeLessThan(found.indexOf('pin a/b'));
    expect(found.indexOf('pin a/b')).toBeLessThan(found.indexOf('hide a/b/.env'));
  });

  test('protect read-only entries once, and hide refused entries in them', async () => {
    using tree = tempTree(['x/.git/hooks/a', 'x/.git/b.env', 'x/.git/y/.git/z', 'c']);
    const guard: Guard = (...step) => noGitWrites(...step) ?? noEnv(...step);
    expect(await find(tree.path, { guard })).toEqual(['pin x', 'protect x/.git', 'hide x/.git/b.env']);
  });

  test('pin nothing if nothing can be changed', async () => {
    using tree = tempTree(['a/b/.env', 'x/.git/a']);
    const guard: Guard = (...step) => noGitWrites(...step) ?? noEnv(...step);
    expect(await find(tree.path, { guard }, { writable: false })).toEqual(['hide a/b/.env']);
  });

  test('pin other roots in this one, and the directories that lead to them', async () => {
    using tree = tempTree(['a/b/root/c/.env', 'a/other/', 'd/']);
    const { dev, ino } = statSync(tree.at('a/b/root'), { bigint: true });
    const inner = { directories: new Set([`${dev}:${ino}`]), files: new Map(), ownerOf: () => undefined };
    expect(await find(tree.path, { inner })).toEqual(['pin a', 'pin a/b', 'pin a/b/root']);
    expect(await find(tree.path, { inner }, { writable: false })).toEqual([]);
    const noRoot: Guard = (_, relative) => (relative.endsWith('root') ? new Error('no') : undefined);
    expect(await find(tree.path, { inner, guard: noRoot })).toEqual(['pin a', 'pin a/b', 'hide a/b/root']);
  });

  test('hide entries that the boundary would not open', async () => {
    using tree = tempTree(['pipe|', 'a.txt', 'sub/x']);
    linkSync(tree.at('a.txt'), tree.at('second'));
    expect(await find(tree.path)).toEqual(['hide pipe']);
    expect((await find(tree.path, { hardLinks: 'refuse' })).toSorted()).toEqual([
      'hide a.txt',
      'hide pipe',
      'hide second',
    ]);
    expect((await find(tree.path, { mount: 'another' })).toSorted()).toEqual(
      ['hide a.txt', 'hide pipe', 'hide second', 'hide sub'].toSorted(),
    );
  });

  test('cover a directory as a whole if very much in it is hidden', async () => {
    using tree = tempTree(['keys/deep/a.txt', 'keys/x/.git/b', 'few/1.env', 'few/2.env']);
    for (let index = 0; index < 1_200; index += 1) writeFileSync(tree.at(`keys/${index}.env`), '');
    const guard: Guard = (...step) => noGitWrites(...step) ?? noEnv(...step);
    const count = (): number => readdirSync('/proc/self/fd').length;
    const before = count();
    const found = await find(tree.path, { guard });
    expect(found.toSorted()).toEqual(['hide few/1.env', 'hide few/2.env', 'hide keys', 'pin few']);
    expect(count()).toBe(before);
  });

  test('are complete, or an error', async () => {
    using tree = tempTree(['a', 'b', 'c', 'd']);
    const tooLarge = { code: 'TREE_TOO_LARGE', hint: expect.stringContaining('a smaller directory') };
    await expect(find(tree.path, {}, { entries: 3 })).rejects.toMatchObject(tooLarge);
    await expect(find(tree.path, {}, { entries: 4 })).resolves.toEqual([]);
    for (let index = 0; index < 1_001; index += 1) writeFileSync(tree.at(`${index}.env`), '');
    await expect(find(tree.path, { guard: noEnv })).rejects.toMatchObject(tooLarge);
    using slow = tempTree();
    for (let index = 0; index < 2_000; index += 1) mkdirSync(slow.at(String(index)));
    await expect(find(slow.path, {}, { milliseconds: 0 })).rejects.toMatchObject(tooLarge);
    await expect(find(slow.path, {}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  test('are refused for names that cannot be passed on', async () => {
    using tree = tempTree(['plain/']);
    execFileSync('bash', ['-c', `touch $'\\xff.txt'`], { cwd: tree.path });
    expect(await find(tree.path, { guard: noEnv })).toEqual([]);
    execFileSync('bash', ['-c', `touch $'\\xff.env'`], { cwd: tree.path });
    await expect(find(tree.path, { guard: noEnv })).rejects.toMatchObject({ code: 'TREE_TOO_LARGE' });
  });

  test('leave no handle open, found or not', async () => {
    using tree = tempTree(['a/b/.env', 'x/.git/a']);
    const count = (): number => readdirSync('/proc/self/fd').length;
    const before = count();
    await find(tree.path, { guard: noEnv });
    await expect(find(tree.path, { guard: noEnv }, { entries: 3 })).rejects.toThrow();
    expect(count()).toBe(before);
  });
});
