import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findByIdentity } from './find-by-identity.ts';
import { lookAt } from './look-at.ts';

async function identityOf(path: string): Promise<string> {
  const look = await lookAt(path);
  return 'refused' in look ? look.refused : look.identity;
}

test('finds the name that something has now', async () => {
  using tree = tempTree(['a/', 'b/', 'c']);
  const identity = await identityOf(tree.at('a'));
  renameSync(tree.at('a'), tree.at('z'));
  expect(await findByIdentity(tree.path, identity)).toBe('z');
  expect(openHandles(tree.path)).toEqual([]);
});

test('does not find what a link leads to, or what is elsewhere', async () => {
  using tree = tempTree(['a/', 'd/', 'd/link => ../a']);
  expect(await findByIdentity(tree.at('d'), await identityOf(tree.at('a')))).toBeUndefined();
  expect(await findByIdentity(tree.at('none'), 'x')).toBeUndefined();
});

test('looks at no more names than it may, and at none for a reader who left', async () => {
  using tree = tempTree(['a', 'b', 'c', 'd']);
  const identities = await Promise.all(['a', 'b', 'c', 'd'].map((name) => identityOf(tree.at(name))));
  const found = await Promise.all(identities.map((it) => findByIdentity(tree.path, it, { entries: 2 })));
  expect(found.filter((name) => name !== undefined)).toHaveLength(2);
  const [first = ''] = identities;
  expect(await findByIdentity(tree.path, first, { signal: AbortSignal.abort() })).toBeUndefined();
  expect(openHandles(tree.path)).toEqual([]);
});
