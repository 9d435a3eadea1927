import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';
import { takeFitting } from '../tool/answer-size.ts';
import { pathText } from '../tool/inputs.ts';
import { labelOf, listingCut, listNames, type NamedEntry } from './list-directory.ts';
import { createTicker } from '../tool/progress-ticker.ts';
import { reach } from '../tool/reach.ts';
import { sizeText } from '../tool/size-text.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool, type ToolCall } from '../tool/tool.ts';

export const listDirectoryWithSizes: Tool = defineTool({
  name: 'list_directory_with_sizes',
  title: 'List directory with sizes',
  description:
    'Lists what is in a directory with the size of each file and a sum at the end, by name or by size. ' +
    'A link has the size of what it leads to, if that lies in the same root, and 0 otherwise.',
  operations: ['list'],
  effect: 'read',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    sortBy: z.enum(['name', 'size']).optional().default('name').describe('By name, or the largest first'),
  }),
  output: textOutput,
  run: ({ path, sortBy }, call) =>
    reach(call, { operation: 'list', path }, async (location) => {
      const { entries, truncated } = await listNames(location, call.signal);
      const sized = await measureAll(location, entries, call);
      const lines = sized.toSorted(orders[sortBy]).map(lineOf);
      const shown = takeFitting(lines);
      const isCut = truncated || shown.length < lines.length;
      const text = [...shown, ...summaryOf(sized)].join('\n');
      return textResult(text, isCut ? listingCut(shown.length) : undefined);
    }),
});

interface SizedEntry extends NamedEntry {
  readonly size: number;
}

const orders = {
  name: (one: SizedEntry, other: SizedEntry) => one.name.localeCompare(other.name),
  size: (one: SizedEntry, other: SizedEntry) => other.size - one.size,
} as const;

async function measureAll(
  location: Location,
  entries: readonly NamedEntry[],
  call: ToolCall,
): Promise<readonly SizedEntry[]> {
  const tick = createTicker(call);
  const sized: SizedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    sized.push({ ...entry, size: await sizeOf(location, entry.real ?? entry.name) });
    if (index % 500 !== 499) continue;
    tick(index + 1, `${index + 1} of ${entries.length} entries`);
    await setImmediate();
    call.signal.throwIfAborted();
  }
  return sized;
}

/** What cannot be looked at has no size: a link that leaves, a file that is gone by now. */
async function sizeOf({ boundary, relative }: Location, name: string): Promise<number> {
  try {
    return (await boundary.stat(`${relative}/${name}`)).size;
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return 0;
  }
}

function lineOf({ name, kind, size }: SizedEntry): string {
  const shown = kind === 'directory' ? '' : sizeText(size).padStart(10);
  return `${labelOf(kind)} ${name.padEnd(30)} ${shown}`;
}

function summaryOf(entries: readonly SizedEntry[]): readonly string[] {
  const files = entries.filter(({ kind }) => kind !== 'directory');
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const directories = entries.length - files.length;
  return ['', `Total: ${files.length} files, ${directories} directories`, `Combined size: ${sizeText(size)}`];
}
