import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { ListedEntry, ListOptions } from '../../boundary/read/list.ts';
import { Turns } from '../../base/turns.ts';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { takeShown, textOutput, textResult } from '../tool/answer.ts';
import { isOneLine, oneLinePath, sizeText } from '../tool/shown-path.ts';
import { realPlaceOf } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall } from '../tool/tool.ts';

export const listDirectory: Tool = defineTool({
  name: 'list_directory',
  title: 'List directory',
  description: 'Lists what is in a directory, one name per line, with [DIR] or [FILE] in front.',
  operations: ['list'],
  effect: 'read',
  isBrief: true,
  input: z.object({ path: pathText.describe('Absolute, relative to the project, or a file URI') }),
  output: textOutput,
  run: ({ path }, call) =>
    call.reach({ operation: 'list', path }, async (location) => {
      const { entries, truncated } = await listNames(location, { signal: call.signal });
      const lines = entries.map(({ name, kind }) => `${labelOf(kind)} ${name}`);
      const shown = takeShown(lines, call);
      const isCut = truncated || shown.length < lines.length;
      return textResult(shown.join('\n'), isCut ? listingCut(shown.length) : undefined);
    }),
});

/** An entry of a listing. */
export interface NamedEntry extends ListedEntry {
  /** The real name, if another one is shown. */
  readonly real?: string;
}

/** Lists a directory, each entry with a name that fits on one line. */
async function listNames(
  location: Location,
  options: Pick<ListOptions, 'sizes'> & { readonly signal: AbortSignal },
): Promise<{ readonly entries: readonly NamedEntry[]; readonly truncated: boolean }> {
  const { boundary, relative } = location;
  const listing = await boundary.list(relative, { limit: limits.listed, ...options });
  if (listing.entries.every(({ name }) => isOneLine(name))) return listing;
  const place = await realPlaceOf(location);
  const turns = new Turns(options.signal);
  const entries: NamedEntry[] = [];
  for (const entry of listing.entries) {
    const { name } = entry;
    entries.push(isOneLine(name) ? entry : { ...entry, name: oneLinePath(join(place, name)), real: name });
    if (turns.isOver) await turns.next();
  }
  return { ...listing, entries };
}

/** Two labels are enough to decide what to call next. */
export function labelOf(kind: string): string {
  return kind === 'directory' ? '[DIR]' : '[FILE]';
}

export function listingCut(shown: number): string {
  return `[Cut after ${shown} entries; there are more. Use find_files with a glob to see the others.]`;
}

export const listDirectoryWithSizes: Tool = defineTool({
  name: 'list_directory_with_sizes',
  title: 'List directory with sizes',
  description:
    'Lists what is in a directory with the size of each file and a sum at the end, by name or by size. ' +
    'A link has the size of its target if that is in the same root, and 0 otherwise.',
  operations: ['list'],
  effect: 'read',
  isBrief: true,
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    sortBy: z.enum(['name', 'size']).optional().default('name').describe('By name, or the largest first'),
  }),
  output: textOutput,
  run: ({ path, sortBy }, call) =>
    call.reach({ operation: 'list', path }, async (location) => {
      const { entries, truncated } = await listNames(location, { sizes: true, signal: call.signal });
      const sized = await measureAll(location, entries, call);
      const lines = sized.toSorted(orders[sortBy]).map(lineOf);
      const shown = takeShown(lines, call);
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
    sized.push({ ...entry, size: entry.size ?? (await sizeOf(location, entry.real ?? entry.name)) });
    if (index % 500 !== 499) continue;
    tick(index + 1, `${index + 1} of ${entries.length} entries`);
    await setImmediate();
    call.signal.throwIfAborted();
  }
  return sized;
}

/** Returns 0 if there is no size: a link that leads outside, or a file that is gone. */
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
