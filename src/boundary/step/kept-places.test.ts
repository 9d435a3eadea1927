import { linkSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { keptIdentity } from './kept-places.ts';
import { openBoundary } from '../open-boundary.ts';

test('a kept file is opened by none of its names, and is no other', async () => {
  using tree = tempTree(['app/a.txt = mine', 'app/b.txt = yours', 'app/link => a.txt']);
  linkSync(tree.at('app/a.txt'), tree.at('app/second.txt'));
  const files = new Set([keptIdentity(statSync(tree.at('app/a.txt')))]);
  const kept = { paths: [tree.at('app/a.txt')], files, linked: true };
  await using boundary = await openBoundary(tree.at('app'), { kept });
  for (const name of ['a.txt', 'second.txt', 'link']) {
    await expect(boundary.readText(name)).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.write(name, '')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.append(name, '')).rejects.toMatchObject({ code: 'DENIED' });
    await expect(boundary.copy(name, 'new')).rejects.toMatchObject({ code: 'DENIED' });
  }
  expect(await boundary.readText('b.txt')).toBe('yours');
  // Negative control: without it the second name tells what the first one holds.
  await using open = await openBoundary(tree.at('app'));
  expect(await open.readText('second.txt')).toBe('mine');
});
