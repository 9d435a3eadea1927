import { homedir, tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { sampleRoot } from '../../../test/client/sample-root.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createUnsafeRefusal } from './refuse-unsafe-root.ts';

function createRefusal(file: string): (path: string, real?: string) => Promise<void> {
  const refuse = createUnsafeRefusal(file);
  return (path, real = path) => refuse(sampleRoot({ path, uri: `file://${path}` }), real);
}

test.each([
  [homedir(), /the home directory/],
  [tmpdir(), /temporary files/],
  ['/etc/ssl', /belongs to the system/],
])('%s is no root of a store', async (path, reason) => {
  using tree = tempTree();
  await expect(createRefusal(tree.at('roots.jsonc'))(path)).rejects.toMatchObject({
    code: 'UNSAFE_ROOT',
    data: { path, reason: expect.stringMatching(reason) },
    hint: expect.stringContaining('say force'),
  });
});

test('what holds the file of the store is no root of it, and may be one of another', async () => {
  using tree = tempTree(['app/config/roots.jsonc', 'app/src/']);
  const refuse = createRefusal(tree.at('app/config/roots.jsonc'));
  await expect(refuse(tree.at('app'))).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  await expect(refuse(tree.at('app/config/roots.jsonc'))).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  await refuse(tree.at('app/src'));
  await createRefusal(tree.at('roots.jsonc'))(tree.at('app'));
});

test('what leads to a place that is not for sharing is that, whatever it is called', async () => {
  using tree = tempTree();
  const refuse = createRefusal(tree.at('r'));
  await refuse(tree.at('link'));
  await expect(refuse(tree.at('link'), '/etc')).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
});
