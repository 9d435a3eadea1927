import { closeSync, constants, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findByIdentity, lookAt, type PlaceLook } from './look-at.ts';

async function see(path: string): Promise<PlaceLook> {
  const look = await lookAt(path);
  if ('refused' in look) throw new Error(look.refused);
  return look;
}

describe('a look', () => {
  test('returns kind and real path, and leaves nothing open', async () => {
    using tree = tempTree(['d/f', 'link => d', 'pipe|']);
    expect(await see(tree.at('d'))).toMatchObject({ kind: 'directory', real: tree.at('d'), readable: true });
    expect(await see(tree.at('link/f'))).toMatchObject({
      kind: 'file',
      real: tree.at('d/f'),
      readable: true,
    });
    expect(await see(tree.at('pipe'))).toMatchObject({ kind: 'FIFO', readable: false });
    expect(openHandles(tree.path)).toEqual([]);
  });

  test.each([
    ['none', 'missing'],
    ['f/below', 'missing'],
    ['loop', 'missing'],
    ['n'.repeat(300), 'missing'],
  ])('at %s is refused: %s', async (path, refused) => {
    using tree = tempTree(['f', 'loop => loop']);
    expect(await lookAt(tree.at(path))).toEqual({ refused });
  });

  test('does not wait for a system that does not answer, and reports when it did after all', async () => {
    using tree = tempTree(['d/', 'pipe|']);
    // Every thread that could look waits for the other end of a FIFO, as it would for a server that is gone.
    const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
    const stuck = Array.from({ length: threads }, () => open(tree.at('pipe'), 'r'));
    const look = await lookAt(tree.at('d'), { milliseconds: 50 });
    expect(look).toMatchObject({ refused: 'silent' });
    const writer = openSync(tree.at('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    expect('late' in look && (await look.late)).toMatchObject({ kind: 'directory' });
    for (const file of await Promise.all(stuck)) await file.close();
    closeSync(writer);
  });
});

describe('an identity', () => {
  test('stays when the place is renamed', async () => {
    using tree = tempTree(['a/']);
    const { identity } = await see(tree.at('a'));
    renameSync(tree.at('a'), tree.at('b'));
    tree.add('b/f');
    expect((await see(tree.at('b'))).identity).toBe(identity);
  });

  test('differs for a new directory, even if it reuses the inode number', async () => {
    using tree = tempTree(['a/']);
    const identities = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      identities.add((await see(tree.at('a'))).identity);
      rmSync(tree.at('a'), { recursive: true });
      mkdirSync(tree.at('a'));
    }
    expect(identities.size).toBe(20);
  });
});

async function identityOf(path: string): Promise<string> {
  const look = await lookAt(path);
  return 'refused' in look ? look.refused : look.identity;
}

test('finds the current name of an entry', async () => {
  using tree = tempTree(['a/', 'b/', 'c']);
  const identity = await identityOf(tree.at('a'));
  renameSync(tree.at('a'), tree.at('z'));
  expect(await findByIdentity(tree.path, identity)).toBe('z');
  expect(openHandles(tree.path)).toEqual([]);
});

test('does not find the target of a link, or entries elsewhere', async () => {
  using tree = tempTree(['a/', 'd/', 'd/link => ../a']);
  expect(await findByIdentity(tree.at('d'), await identityOf(tree.at('a')))).toBeUndefined();
  expect(await findByIdentity(tree.at('none'), 'x')).toBeUndefined();
});

test('checks no more names than allowed, and none after an abort', async () => {
  using tree = tempTree(['a', 'b', 'c', 'd']);
  const identities = await Promise.all(['a', 'b', 'c', 'd'].map((name) => identityOf(tree.at(name))));
  const found = await Promise.all(identities.map((it) => findByIdentity(tree.path, it, { entries: 2 })));
  expect(found.filter((name) => name !== undefined)).toHaveLength(2);
  const [first = ''] = identities;
  expect(await findByIdentity(tree.path, first, { signal: AbortSignal.abort() })).toBeUndefined();
  expect(openHandles(tree.path)).toEqual([]);
});
