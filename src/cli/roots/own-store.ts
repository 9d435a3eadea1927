import { openRootStore } from '../../client/store/open-root-store.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import { findPlace, readStore } from '../../client/store/store-file.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import { RootwardError } from '../../errors.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { fromTerminal } from '../terminal/here.ts';
import { openRecords } from '../../serve/open-records.ts';
import { ownStoreFile } from '../../serve/settings/own-store-file.ts';
import { keepUndoStep } from './undo-steps.ts';

/** Looks at the roots of this person, and changes nothing. */
export async function lookIntoStore<Result>(
  context: CliContext,
  use: (store: RootStore) => Promise<Result>,
): Promise<Result> {
  await using store = await openRootStore({ file: ownStoreFile(context), follow: false });
  return await use(store);
}

/** Changes the roots of this person: what is done is recorded, and `rootward roots undo` takes it back. */
export async function changeStore<Result>(
  context: CliContext,
  use: (store: RootStore) => Promise<Result>,
): Promise<Result> {
  const file = ownStoreFile(context);
  const records = await openRecords(context, { logFile: undefined, debug: false });
  const { audit } = records;
  try {
    await using store = await openRootStore({ file, audit, caller: 'rootward roots', follow: false });
    // Counted, to tell whether somebody else has changed something meanwhile.
    let changes = 0;
    store.subscribe(({ by }) => {
      if (by === 'here') changes += 1;
    });
    const before = await readStore(await findPlace(file));
    try {
      return await use(store);
    } finally {
      if (changes > 0) await keepUndoStep(file, { before, changes });
    }
  } finally {
    await records.close();
  }
}

/**
 * A root by its name, path or URI; a relative path begins at the terminal.
 *
 * @throws {RootwardError} `UNKNOWN_ROOT`
 */
export function requireStored(context: CliContext, store: RootStore, which: string): StoredRoot {
  const root = store.get(which) ?? store.get(fromTerminal(context, which));
  if (root !== undefined) return root;
  throw new RootwardError('UNKNOWN_ROOT', { root: which, known: store.list().map(({ name }) => name) });
}
