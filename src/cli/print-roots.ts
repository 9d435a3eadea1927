import { permissionsFor } from '../client/permissions-for.ts';
import type { StoredRoot } from '../client/stored-root.ts';
import { toRootPermissions } from '../policy/root-permissions.ts';
import { escapeText } from '../quote.ts';
import type { CliContext } from './command-context.ts';
import { describePermissions } from './format-roots.ts';
import { createPaint, formatColumns } from './paint.ts';

export interface PrintedRoots {
  /** What was done to them. */
  readonly verb: string;
  readonly roots: readonly StoredRoot[];
  readonly server?: string | undefined;
  readonly json: boolean;
}

/** Says what was done to roots: a line each, as JSON for a program. */
export function printRoots(context: CliContext, { verb, roots, server, json }: PrintedRoots): void {
  const { stdout } = context.process;
  if (json) {
    for (const root of roots) stdout.write(`${JSON.stringify(root)}\n`);
    return;
  }
  const paint = createPaint(context);
  const rows = roots.map((root) => [
    paint('green', verb),
    escapeText(root.name),
    describePermissions(toRootPermissions(permissionsFor(root, server))),
    escapeText(root.path),
  ]);
  stdout.write(formatColumns(rows));
}
