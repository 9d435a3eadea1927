import { join } from 'node:path';
import { z } from 'zod';
import { Turns } from '../../base/turns.ts';
import type { WalkOptions } from '../../boundary/read/walk.ts';
import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';
import { globList, limits, pathText } from '../tool/answer-limits.ts';
import { takeShown, textOutput, textResult } from '../tool/answer.ts';
import { oneLinePath, orderPaths } from '../tool/shown-path.ts';
import { startAt } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
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
    excludePatterns: globList.optional().default([]).describe('Globs to exclude'),
  }),
  output: textOutput,
  run: ({ path, pattern, excludePatterns }, call) =>
    call.reach({ operation: 'list', path }, async (location) => {
      const wanted = compileGlobs([referenceGlob(pattern)], { platform: hostPlatform });
      const start = await startAt(location);
      const ignore = excludePatterns.map(referenceGlob).map(start.under);
      const { signal } = call;
      const walk = start.boundary.walk(start.relative, { ...walking, ignore, signal });
      const found = await collect(walk.batches(), createTicker(call), (entry) => {
        const below = start.below(entry.path);
        return below !== undefined && wanted.match(below) !== undefined ? below : undefined;
      });
      const ordered = (await orderPaths(found, signal)).slice(0, limits.found);
      const shown = takeShown(
        ordered.map((name) => oneLinePath(join(start.absolute, name))),
        call,
      );
      const text = shown.join('\n');
      const isCut = shown.length < found.length || walk.stopped !== undefined;
      return textResult(text || 'No matches found', isCut ? cut(shown.length) : undefined);
    }),
});

function cut(shown: number): string {
  return `[Cut after ${shown} results; there are more. Search in a directory further down, or with a narrower pattern.]`;
}

/** Limits of a search for names. */
export const walking: Pick<WalkOptions, 'entries' | 'milliseconds'> = {
  entries: limits.walked,
  milliseconds: limits.searchMilliseconds,
};

/** Collects the chosen entries of a walk, with progress. */
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

/**
 * Converts a glob of the reference file server to ours. There a name without a slash matches only at the top, and
 * `docs/**` matches the content of `docs`, not `docs` itself.
 */
export function referenceGlob(pattern: string): string {
  // An invalid glob stays unchanged, to be refused with its own message.
  if (pattern === '' || pattern.startsWith('!')) return pattern;
  const anchored = pattern.startsWith('/') ? pattern : `/${pattern}`;
  return anchored.endsWith('/**') && anchored !== '/**' ? `${anchored}/*` : anchored;
}

/** Converts an exclusion of the reference: in a tree, a name without a star matches at any depth. */
export function referenceTreeExclusion(pattern: string): readonly string[] {
  if (pattern.includes('*')) return [referenceGlob(pattern)];
  return [referenceGlob(pattern), referenceGlob(`**/${pattern}`)];
}
