import { basename, dirname, join } from 'node:path';
import { fieldsOf, ownField } from '../../base/fields.ts';
import { parseJsonc } from '../../base/parse-jsonc.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';
import { byteOrderMark } from '../../client/store/parse-store.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import { findPlace, readStore } from '../../client/store/store-file.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';
import { openRecords } from '../../serve/open-records.ts';
import { ownStoreFile } from '../../serve/settings/own-store-file.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { fromTerminal } from '../terminal/here.ts';

/** Opens the person's roots for reading. */
export async function lookIntoStore<Result>(
  context: CliContext,
  use: (store: RootStore) => Promise<Result>,
): Promise<Result> {
  await using store = await openRootStore({ file: ownStoreFile(context), follow: false });
  return await use(store);
}

/** Changes the person's roots. Each change is recorded, and `rootward roots undo` reverts it. */
export async function changeStore<Result>(
  context: CliContext,
  use: (store: RootStore) => Promise<Result>,
): Promise<Result> {
  const file = ownStoreFile(context);
  const records = await openRecords(context, { logFile: undefined, debug: false });
  const { audit } = records;
  try {
    await using store = await openRootStore({ file, audit, caller: 'rootward roots', follow: false });
    // Counted to detect a change by another process in between.
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
 * Finds a root by its name, path or URI. A relative path starts at the current directory.
 *
 * @throws {RootwardError} `UNKNOWN_ROOT`
 */
export function requireStored(context: CliContext, store: RootStore, which: string): StoredRoot {
  const root = store.get(which) ?? store.get(fromTerminal(context, which));
  if (root !== undefined) return root;
  throw new RootwardError('UNKNOWN_ROOT', { root: which, known: store.list().map(({ name }) => name) });
}

/** The text of the file before and after one command. */
export interface UndoStep {
  /** `undefined`: there was no file. */
  readonly before?: string | undefined;
  readonly after: string;
}

/** Limits of the undo history: a store may hold thousands of roots. */
const most = { steps: 20, characters: 4_000_000 } as const;

/** The state before a command, and the changes it made. */
interface DoneChange {
  readonly before: string | undefined;
  /** How many changes it made. */
  readonly changes: number;
}

/**
 * Records a command for `undo`. If another process changed the file in between, the two changes cannot be told
 * apart, and the history is dropped.
 */
export async function keepUndoStep(file: string, { before, changes }: DoneChange): Promise<void> {
  const after = await readStore(await findPlace(file));
  const isOurs = after !== undefined && revisionOf(after) - revisionOf(before) === changes;
  const steps = isOurs ? [...(await loadUndoSteps(file)), { before, after }] : [];
  await saveUndoSteps(file, steps);
}

/** Reads only the revision: the store has read the rest, and may hold thousands of roots. */
function revisionOf(text: string | undefined): number {
  const parsed = parseJsonc((text ?? '{}').replace(byteOrderMark, ''));
  return 'fault' in parsed ? Number.NaN : Number(ownField(parsed.value, 'revision') ?? 0);
}

/** The steps, latest last; none if the file cannot be read. */
export async function loadUndoSteps(file: string): Promise<readonly UndoStep[]> {
  requireOwnPlace(join(dirname(file), nameOf(file)));
  requireOwnPlace(dirname(file));
  try {
    await using boundary = await openBoundary(dirname(file));
    const steps: unknown = JSON.parse(await boundary.readText(nameOf(file)));
    return Array.isArray(steps) ? steps.filter(isStep) : [];
  } catch (error) {
    if (RootwardError.is(error) || error instanceof SyntaxError) return [];
    throw error;
  }
}

export async function saveUndoSteps(file: string, steps: readonly UndoStep[]): Promise<void> {
  await using boundary = await openOwnDirectory(dirname(file));
  await boundary.write(nameOf(file), JSON.stringify(latest(steps)), { mode: 0o600 });
}

function nameOf(file: string): string {
  return `${basename(file)}.undo`;
}

function isStep(value: unknown): value is UndoStep {
  const { before, after } = fieldsOf(value);
  return typeof after === 'string' && (before === undefined || typeof before === 'string');
}

function latest(steps: readonly UndoStep[]): readonly UndoStep[] {
  let characters = 0;
  const fits = steps.toReversed().filter(({ before = '', after }, index) => {
    characters += before.length + after.length;
    return index < most.steps && characters <= most.characters;
  });
  return fits.toReversed();
}
