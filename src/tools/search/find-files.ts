import { join } from 'node:path';
import { z } from 'zod';
import type { WalkEntry } from '../../boundary/read/walk.ts';
import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';
import { globList, limits, pathText } from '../tool/answer-limits.ts';
import { takeShown } from '../tool/answer.ts';
import { orderPaths, shownPath } from '../tool/shown-path.ts';
import { startAt } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolResult } from '../tool/tool.ts';
import { collect, walking } from './search-files.ts';

const output = z.object({
  paths: z.array(z.string()).describe('Relative to the project if inside it, otherwise absolute'),
  total: z.number().describe('Total number of results'),
  complete: z.boolean().describe('Whether everything was looked at'),
  next: z.number().optional().describe('Offset of the first result that is not shown'),
});

export const findFiles: Tool = defineTool({
  name: 'find_files',
  title: 'Find files',
  description:
    'Finds files by globs. A glob without a slash is a name at any depth (*.ts), one with a slash is meant ' +
    'from the path on (src/**/*.ts). Skips what .gitignore files exclude, unless told otherwise.',
  operations: ['list'],
  effect: 'read',
  input: z.object({
    globs: globList.min(1).describe('What to find: any of these'),
    path: pathText.default('.').describe('Where to begin; the project by default'),
    exclude: globList.default([]).describe('Globs to exclude; a directory is excluded with everything in it'),
    kind: z.enum(['file', 'directory', 'any']).default('file'),
    gitignore: z.boolean().default(true).describe('Skip what .gitignore files exclude, and .git'),
    limit: z.number().int().min(1).max(limits.found).default(1_000),
    offset: z.number().int().min(0).default(0).describe('How many results to skip'),
  }),
  output,
  run: ({ globs, path, exclude, kind, gitignore, limit, offset }, call) =>
    call.reach({ operation: 'list', path }, async (location) => {
      const wanted = compileGlobs(globs, { platform: hostPlatform });
      const start = await startAt(location);
      const ignore = exclude.map((glob) => (/\/./.test(glob) ? start.under(glob) : glob));
      const options = { ...walking, ignore, gitignore, signal: call.signal };
      const walk = start.boundary.walk(start.relative, options);
      const found = await collect(walk.batches(), createTicker(call), (entry) => {
        const below = start.below(entry.path);
        return below !== undefined && isKind(entry, kind) && wanted.match(below) !== undefined
          ? below
          : undefined;
      });
      const workspace = await call.workspace();
      const asked = (await orderPaths(found, call.signal)).slice(offset, offset + limit);
      const shown = asked.map((name) => shownPath(workspace, join(start.absolute, name)));
      const paths = [...takeShown(shown, call)];
      const end = offset + paths.length;
      const next = end < found.length ? { next: end } : {};
      return resultOf({ paths, total: found.length, complete: walk.stopped === undefined, ...next });
    }),
});

function isKind(entry: WalkEntry, kind: 'file' | 'directory' | 'any'): boolean {
  if (kind === 'any') return true;
  return (entry.kind === 'directory') === (kind === 'directory');
}

function resultOf(found: z.output<typeof output>): ToolResult<z.output<typeof output>> {
  const { paths, total, complete, next } = found;
  const lines = [
    ...(paths.length === 0 ? ['Nothing found'] : paths),
    ...(next === undefined ? [] : [`[${total} in all. To see more, call again with offset ${next}.]`]),
    ...(complete ? [] : ['[Not everything was searched: start in a subdirectory, or exclude something.]']),
  ];
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: found };
}
