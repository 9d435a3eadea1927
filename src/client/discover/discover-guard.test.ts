import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { createDiscoverGuard } from './discover-guard.ts';

test.each([
  ['/', 'it is a whole file system'],
  ['/etc', 'it belongs to the system'],
  ['/usr/share', 'it belongs to the system'],
  ['/proc/self', 'it belongs to the system'],
  ['/home', 'it holds the home directories'],
  ['/home/me/.ssh', 'it holds SSH keys'],
])('refuses to search %s: %s', async (path, reason) => {
  const guard = await createDiscoverGuard({ home: '/home/me' });
  await expect(guard.requireSearchable(path)).rejects.toMatchObject({
    code: 'TOO_BROAD',
    message: `Cannot search "${path}": ${reason}`,
  });
});

test('a directory that contains projects may be searched, but is not proposed itself', async () => {
  using tree = tempTree(['home/code/', 'tmp/x/']);
  const guard = await createDiscoverGuard({ home: tree.at('home'), temporary: tree.at('tmp') });
  for (const path of [tree.at('home'), tree.at('tmp'), '/srv', '/opt', tree.at('home/code')])
    await expect(guard.requireSearchable(path)).resolves.toBeUndefined();
  expect(
    [tree.at('home'), tree.at('tmp'), '/srv', '/etc/x'].filter((path) => guard.mayPropose(path)),
  ).toEqual([]);
  expect(guard.mayPropose(tree.at('home/code'))).toBe(true);
  expect(guard.mayPropose(tree.at('home/.aws'))).toBe(false);
});

test('a link does not hide its target', async () => {
  using tree = tempTree(['code => /etc']);
  const guard = await createDiscoverGuard({ home: '/home/me' });
  await expect(guard.requireSearchable(tree.at('code'))).rejects.toMatchObject({ code: 'TOO_BROAD' });
});
