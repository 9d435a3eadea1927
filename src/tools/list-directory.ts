import { z } from 'zod';
import { limits } from './limits.ts';
import { reach } from './reach.ts';
import { textOutput, textResult } from './text-result.ts';
import { defineTool, type Tool } from './tool.ts';

export const listDirectory: Tool = defineTool({
  name: 'list_directory',
  title: 'List directory',
  description: 'Lists what is in a directory, one name per line, with [DIR] or [FILE] in front.',
  operations: ['list'],
  effect: 'read',
  input: z.object({ path: z.string().describe('Absolute, relative to the project, or a file URI') }),
  output: textOutput,
  async run({ path }, call) {
    const { entries, truncated } = await reach(call, { operation: 'list', path }, ({ boundary, relative }) =>
      boundary.list(relative, { limit: limits.listed, signal: call.signal }),
    );
    const lines = entries.map(({ name, kind }) => `${labelOf(kind)} ${name}`);
    return textResult(lines.join('\n'), truncated ? listingCut(entries.length) : undefined);
  },
});

/** Two kinds are enough to decide what to call next. */
export function labelOf(kind: string): string {
  return kind === 'directory' ? '[DIR]' : '[FILE]';
}

export function listingCut(shown: number): string {
  return `[Cut after ${shown} entries; there are more. Use find_files with a glob to see the others.]`;
}
