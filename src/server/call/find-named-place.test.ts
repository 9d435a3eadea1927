import { expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { tempTree } from '../../testing/temp-tree.ts';

const options = { tools: true, argument: true } as const;

test.each([
  ['the name of a root', 'docs', 'docs'],
  ['the name in a manifest', 'my-app', 'app'],
  ['a nested project', 'inner', 'app/deep/er'],
  ['a relative path', './deep', 'app/deep'],
  ['a directory of another root', 'guides', 'docs/guides'],
])('finds %s', async (_form, said, place) => {
  using tree = tempTree([
    'app/package.json = {"name":"my-app"}',
    'app/deep/er/package.json = {"name":"inner"}',
    'docs/guides/',
  ]);
  await using pair = await connectLegacy({ roots: [tree.at('app'), tree.at('docs')], options });
  expect((await pair.call('why', { cwd: said })).data).toMatchObject({
    project: { location: tree.at(place) },
  });
});

test('a project in a denied place has no name', async () => {
  using tree = tempTree(['app/a.txt', 'app/hidden/in/package.json = {"name":"secret-name"}']);
  const policy = { deny: ['hidden/**', 'hidden'] };
  await using pair = await connectLegacy({ roots: [tree.at('app')], options: { ...options, policy } });
  const { isError, text } = await pair.call('switch_project', { project: 'other' });
  expect(isError).toBe(true);
  expect(text).not.toContain('secret-name');
  expect((await pair.call('switch_project', { project: 'secret-name' })).isError).toBe(true);
});
