import { createChangeLog } from '../../client/store/change-log.ts';
import { byteOrderMark, type ParsedStore, parseStore } from '../../client/store/parse-store.ts';
import { currentVersion, newStore } from '../../client/store/store-document.ts';
import { findPlace, rewriteStore } from '../../client/store/store-file.ts';
import { describeUndo, type StoreStep, undoIn } from '../../client/store/undo-history.ts';
import { editJsonc } from '../../config/edit-jsonc.ts';
import { RootwardError } from '../../errors.ts';
import { openRecords } from '../../serve/open-records.ts';
import { ownStoreFile, storeContextOf } from '../../serve/settings/own-store-file.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { createPaint } from '../terminal/paint.ts';
import { formatRoots } from './format-roots.ts';
import { loadUndoSteps, lookIntoStore, saveUndoSteps, type UndoStep } from './own-store.ts';

export interface UndoFlags {
  readonly json: boolean;
}

/** Reverts the latest change; run again, the one before it. */
export async function runUndoRoots(this: CliContext, { json }: UndoFlags): Promise<void> {
  const file = ownStoreFile(this);
  let revision = await lookIntoStore(this, async (store) => store.revision);
  const records = await openRecords(this, { logFile: undefined, debug: false });
  const log = createChangeLog({ audit: records.audit, caller: 'rootward roots', revision: () => revision });
  let undone: readonly string[] = [];
  try {
    await log.around('undo', { path: file, root: undefined }, async () => {
      ({ revision, undone } = await undoLatest(file));
    });
  } finally {
    await records.close();
  }
  const roots = await lookIntoStore(this, async (store) => store.list());
  this.process.stdout.write(
    json
      ? `${JSON.stringify({ undone, roots })}\n`
      : `Took back the last change: ${undone.join(', ') || 'only comments'}\n${await formatRoots(roots, createPaint(this))}`,
  );
}

interface UndoneStep {
  /** The new revision of the file. */
  readonly revision: number;
  /** The changes that were taken back, one clause each. */
  readonly undone: readonly string[];
}

async function undoLatest(file: string): Promise<UndoneStep> {
  const steps = await loadUndoSteps(file);
  const last = steps.at(-1);
  if (last === undefined) throw new RootwardError('CANNOT_UNDO', { reason: 'nothing is left to take back' });
  const step = toStep(file, last);
  let now: string | undefined;
  let revision = 0;
  await rewriteStore(await findPlace(file), (text) => {
    const current = parseStore(text ?? newStore, storeContextOf(file));
    revision = current.snapshot.revision + 1;
    now = undo(current, step, file);
    return { text: now };
  });
  await saveUndoSteps(file, continued(steps, now));
  return { revision, undone: describeUndo(step) };
}

function toStep(file: string, { before = newStore, after }: UndoStep): StoreStep {
  const context = storeContextOf(file);
  return { before: parseStore(before, context), after: parseStore(after, context) };
}

/** The reverted text: the old one with its comments, if the file has not been changed since. */
function undo(current: ParsedStore, step: StoreStep, file: string): string {
  const { document, text } = undoIn(current, step);
  const base = text === undefined ? current : parseStore(text, storeContextOf(file));
  const [mark, body] = base.text.startsWith(byteOrderMark)
    ? [byteOrderMark, base.text.slice(1)]
    : ['', base.text];
  const revision = current.snapshot.revision + 1;
  return mark + editJsonc(body, base.jsonc, { ...document, version: currentVersion, revision });
}

/** Keeps the older steps only if the one before led to the present text, apart from the revision. */
function continued(steps: readonly UndoStep[], now: string | undefined): readonly UndoStep[] {
  const [last, before] = [steps.at(-1), steps.at(-2)];
  const rest = steps.slice(0, -1);
  const isWhole = before !== undefined && before.after === last?.before && now !== undefined;
  return isWhole ? [...rest.slice(0, -1), { ...before, after: now }] : rest;
}
