import { once } from 'node:events';
import { chmodSync, lstatSync } from 'node:fs';
import { createServer } from 'node:net';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import { type HarmlessCase, usualLayout } from './consistency-cases.ts';
import { snapshot, type Snapshot } from '../trees/snapshot.ts';

export interface HarmlessTree extends AsyncDisposable {
  readonly tree: TempTree;
  /** Everything in it; other users than root can look again only after the lock is gone. */
  look(): Snapshot;
}

export async function createHarmlessTree(entry: HarmlessCase): Promise<HarmlessTree> {
  const { path, layout = [], socket, locked, mode } = entry;
  const tree = tempTree([...[...usualLayout, ...layout].map((name) => `ROOT/${name}`), 'OTHER/spare']);
  if (mode !== undefined) chmodSync(tree.at('ROOT', path), mode);
  const stop = socket === undefined ? undefined : await listen(tree.at('ROOT', socket));
  const unlock = locked === undefined ? undefined : lock(tree, locked);
  return {
    tree,
    look() {
      unlock?.();
      return snapshot(tree.path, { times: false });
    },
    async [Symbol.asyncDispose]() {
      unlock?.();
      await stop?.();
      tree[Symbol.dispose]();
    },
  };
}

async function listen(path: string): Promise<() => Promise<void>> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/** Takes all permissions away; what it returns gives them back, wherever the directory is by then. */
function lock(tree: TempTree, name: string): () => void {
  chmodSync(tree.at('ROOT', name), 0);
  return () => {
    for (const path of [tree.at('ROOT', name), tree.at('ROOT/renamed'), tree.at('OTHER/renamed')]) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) chmodSync(path, 0o700);
    }
  };
}
