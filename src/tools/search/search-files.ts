import { join } from 'node:path';
import { z } from 'zod';
import { Turns } from '../../base/turns.ts';
import type { WalkOptions } from '../../boundary/read/walk.ts';
import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';
import { takeFitting } from '../tool/answer-size.ts';
import { globList, pathText } from '../tool/inputs.ts';
import { limits } from '../tool/answer-limits.ts';
import { oneLinePath } from '../tool/one-line-path.ts';
import { orderPaths } from '../tool/order-paths.ts';
import { createTicker } from '../tool/progress-ticker.ts';
import { reach } from '../tool/reach.ts';
import { referenceGlob } from './reference-globs.ts';
import { startAt } from '../tool/start-at.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const searchFiles: Tool = defineTool({
  name: 'search_files',
  title: 'Search files',
  description:
    'Finds files and directories by a glob, from the path on: *.ts in that directory only, **/*.ts at any ' +
    'depth. Gives absolute paths. See find_files for more choices and search_text for what is in files.',
  operations: ['list'],
  effect: 'read',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    pattern: z.string().max(limits.glob).describe('A glob such as **/*.ts'),
    excludePatterns: globList.optional().default([]).describe('Globs to leave out'),
  }),
  output: textOutput,
  run: ({ path, pattern, excludePatterns }, call) =>
    reach(call, { operation: 'list', path }, async (location) => {
      const wanted = compileGlobs([referenceGlob(pattern)], { platform: hostPlatform });
      const start = await startAt(location);
      const ignore = excludePatterns.map(referenceGlob).map(start.under);
      const { signal } = call;
      const walk = start.boundary.walk(start.relative, { ...walking, ignore, signal });
      const found = await collect(walk.batches(), createTicker(call), (entry) => {
        const below = start.below(entry.path);
        return below !== undefined && wanted.match(below) !== undefined ? below : undefined;
      });
      const ordered = orderPaths(found).slice(0, limits.found);
      const shown = takeFitting(ordered.map((name) => oneLinePath(join(start.absolute, name))));
      const text = shown.join('\n');
      const isCut = shown.length < found.length || walk.stopped !== undefined;
      return textResult(text || 'No matches found', isCut ? cut(shown.length) : undefined);
    }),
});

function cut(shown: number): string {
  return `[Cut after ${shown} results; there are more. Search in a directory further down, or with a narrower pattern.]`;
}

/** How far a search for names goes. */
export const walking: Pick<WalkOptions, 'entries' | 'milliseconds'> = {
  entries: limits.walked,
  milliseconds: limits.searchMilliseconds,
};

/** What a walk finds, with progress on the way. */
export async function collect<Entry, Found>(
  batches: AsyncIterable<readonly Entry[]>,
  tick: (done: number, message: string) => void,
  choose: (entry: Entry) => Found | undefined,
): Promise<readonly Found[]> {
  const turns = new Turns();
  const found: Found[] = [];
  let seen = 0;
  for await (const batch of batches) {
    for (const entry of batch) {
      const chosen = choose(entry);
      if (chosen !== undefined) found.push(chosen);
      if (turns.isOver) await turns.next();
    }
    seen += batch.length;
    tick(seen, `${seen} entries looked at, ${found.length} found`);
  }
  return found;
}
