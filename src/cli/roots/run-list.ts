import { viewForServer } from '../../client/expose/view-for-server.ts';
import type { StoreSnapshot } from '../../client/store/stored-root.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { createPaint } from '../terminal/paint.ts';
import { formatRoots, lookAtRoots, type NamedView } from './format-roots.ts';
import { lookIntoStore } from './own-store.ts';

export interface ListRootsFlags {
  readonly server?: string;
  readonly json: boolean;
}

/** Prints the stored roots: a table for a person, one JSON document for a program. */
export async function runListRoots(this: CliContext, { server, json }: ListRootsFlags): Promise<void> {
  const snapshot = await lookIntoStore(this, async (store) => store.snapshot());
  const view = server === undefined ? undefined : { server, of: viewForServer(snapshot, server, new Date()) };
  const text = json
    ? `${JSON.stringify(await toDocument(snapshot, view))}\n`
    : await formatRoots(snapshot.roots, createPaint(this), view);
  this.process.stdout.write(text);
}

async function toDocument({ revision, roots, servers }: StoreSnapshot, view?: NamedView): Promise<object> {
  const states = await lookAtRoots(roots);
  const listed = roots.map((root, index) => {
    const own = view?.of[index];
    const shownAs = own && { shown: own.shown, why: own.why, effective: own.permissions };
    return Object.assign({}, root, { state: states.get(root.path) }, shownAs);
  });
  return { revision, roots: listed, servers };
}
