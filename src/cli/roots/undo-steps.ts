import { basename, dirname, join } from 'node:path';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { parseStore } from '../../client/store/parse-store.ts';
import { findPlace, readStore } from '../../client/store/store-file.ts';
import { openOwnDirectory } from '../../config/open-own-directory.ts';
import { RootwardError } from '../../errors.ts';
import { storeContextOf } from '../../serve/settings/own-store-file.ts';

/** What one command did to the file, from both sides. */
export interface UndoStep {
  /** `undefined`: there was no file. */
  readonly before?: string | undefined;
  readonly after: string;
}

/** How many are kept, and how much text in all: a store may hold thousands of roots. */
const most = { steps: 20, characters: 4_000_000 } as const;

/** What a command is about to leave behind. */
interface Done {
  readonly before: string | undefined;
  /** How many changes it made. */
  readonly changes: number;
}

/**
 * Keeps what a command did, so that a later one can take it back. If somebody else changed the file in between,
 * what is whose cannot be told, and then nothing can be taken back.
 */
export async function keepUndoStep(file: string, { before, changes }: Done): Promise<void> {
  const after = await readStore(await findPlace(file));
  const isOurs = after !== undefined && revisionOf(file, after) - revisionOf(file, before) === changes;
  const steps = isOurs ? [...(await loadUndoSteps(file)), { before, after }] : [];
  await saveUndoSteps(file, steps);
}

function revisionOf(file: string, text: string | undefined): number {
  return text === undefined ? 0 : parseStore(text, storeContextOf(file)).snapshot.revision;
}

/** The latest last. What cannot be read is as good as nothing. */
export async function loadUndoSteps(file: string): Promise<readonly UndoStep[]> {
  requireOwnPlace(join(dirname(file), nameOf(file)));
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
  if (typeof value !== 'object' || value === null || !('after' in value)) return false;
  return typeof value.after === 'string' && (!('before' in value) || typeof value.before === 'string');
}

function latest(steps: readonly UndoStep[]): readonly UndoStep[] {
  let characters = 0;
  const fits = steps.toReversed().filter(({ before = '', after }, index) => {
    characters += before.length + after.length;
    return index < most.steps && characters <= most.characters;
  });
  return fits.toReversed();
}
