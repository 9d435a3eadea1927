import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { heard, pairs } from '../../../test/client/client-pairs.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { expose } from '../expose/expose.ts';
import { openRootStore } from '../store/open-root-store.ts';
import { watchStore } from './store-watch.ts';

test('a root that vanishes is withdrawn from servers, and comes back by itself', async () => {
  using tree = tempTree(['app/package.json', 'docs/', 'late/']);
  await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc') });
  await store.add(tree.at('app'));
  await store.add(tree.at('docs'));
  await using availability = watchStore(store);
  await availability.watch.ready;
  const pair = pairs['SDK v1']?.();
  if (pair === undefined) throw new Error('no pair');
  const detach = expose(pair.client, store, { server: { name: 'a', command: 'x' }, availability });
  await pair.connect();
  const names = async (): Promise<unknown> => {
    const asked = await pair.ask();
    return 'roots' in asked ? asked.roots.map(({ name }) => name) : asked;
  };
  expect(await names()).toEqual(['app', 'docs']);
  renameSync(tree.at('app'), tree.at('away'));
  await heard(pair, 1);
  expect(await names()).toEqual(['docs']);
  renameSync(tree.at('away'), tree.at('app'));
  await heard(pair, 2);
  expect(await names()).toEqual(['app', 'docs']);
  // What is added later is watched too.
  await store.add(tree.at('late'));
  await heard(pair, 3);
  await availability.watch.look();
  renameSync(tree.at('late'), tree.at('later'));
  await heard(pair, 4);
  await store.remove('docs');
  expect(availability.watch.status(tree.at('docs'))).toBeUndefined();
  detach();
  await pair.client.close();
});
