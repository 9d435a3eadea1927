import { join } from 'node:path';
import { z } from 'zod';
import type { ListedEntry } from '../../boundary/read/list.ts';
import type { Location } from '../../workspace/workspace.ts';
import { takeFitting } from '../tool/answer-size.ts';
import { pathText } from '../tool/inputs.ts';
import { limits } from '../tool/answer-limits.ts';
import { isOneLine, oneLinePath } from '../tool/one-line-path.ts';
import { placeOf } from '../tool/place-of.ts';
import { reach } from '../tool/reach.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const listDirectory: Tool = defineTool({
  name: 'list_directory',
  title: 'List directory',
  description: 'Lists what is in a directory, one name per line, with [DIR] or [FILE] in front.',
  operations: ['list'],
  effect: 'read',
  input: z.object({ path: pathText.describe('Absolute, relative to the project, or a file URI') }),
  output: textOutput,
  run: ({ path }, call) =>
    reach(call, { operation: 'list', path }, async (location) => {
      const { entries, truncated } = await listNames(location, call.signal);
      const lines = entries.map(({ name, kind }) => `${labelOf(kind)} ${name}`);
      const shown = takeFitting(lines);
      const isCut = truncated || shown.length < lines.length;
      return textResult(shown.join('\n'), isCut ? listingCut(shown.length) : undefined);
    }),
});

/** An entry of a listing. */
export interface NamedEntry extends ListedEntry {
  /** The name itself, where it is shown in another way. */
  readonly real?: string;
}

/** What is in a directory, each with a name that takes up one line. */
export async function listNames(
  location: Location,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly NamedEntry[]; readonly truncated: boolean }> {
  const { boundary, relative } = location;
  const listing = await boundary.list(relative, { limit: limits.listed, signal });
  if (listing.entries.every(({ name }) => isOneLine(name))) return listing;
  const place = await placeOf(location);
  const entries = listing.entries.map(({ name, kind }) =>
    isOneLine(name) ? { name, kind } : { name: oneLinePath(join(place, name)), kind, real: name },
  );
  return { ...listing, entries };
}

/** Two kinds are enough to decide what to call next. */
export function labelOf(kind: string): string {
  return kind === 'directory' ? '[DIR]' : '[FILE]';
}

export function listingCut(shown: number): string {
  return `[Cut after ${shown} entries; there are more. Use find_files with a glob to see the others.]`;
}
