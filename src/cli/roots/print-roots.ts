import type { StoredRoot } from '../../client/store/stored-root.ts';
import { escapeText } from '../../base/quote.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { describeFor, type NamedView } from './format-roots.ts';
import { createPaint, formatColumns } from '../terminal/paint.ts';

export interface PrintedRoots {
  /** What was done to them. */
  readonly verb: string;
  readonly roots: readonly StoredRoot[];
  /** What a server gets of them, where they were changed for one. */
  readonly view?: NamedView | undefined;
  readonly json: boolean;
}

/** Says what was done to roots: a line each, as JSON for a program. */
export function printRoots(context: CliContext, { verb, roots, view, json }: PrintedRoots): void {
  const { stdout } = context.process;
  if (json) {
    for (const root of roots) stdout.write(`${JSON.stringify(root)}\n`);
    return;
  }
  const paint = createPaint(context);
  const rows = roots.map((root) => [
    paint('green', verb),
    escapeText(root.name),
    describeFor(root, view),
    escapeText(root.path),
  ]);
  stdout.write(formatColumns(rows));
}
