import { join } from 'node:path';
import { z } from 'zod';
import { compileGlobs } from '../path/glob.ts';
import { limits } from './limits.ts';
import { placeOf } from './place-of.ts';
import { createTicker } from './progress-ticker.ts';
import { reach } from './reach.ts';
import { findRipgrep } from './search/find-ripgrep.ts';
import { formatHits } from './search/format-hits.ts';
import { gatherHits } from './search/gather-hits.ts';
import { searchPlace } from './search/search-place.ts';
import { shownPath } from './shown-path.ts';
import { defineTool, type Tool } from './tool.ts';

const output = z.object({
  files: z.array(
    z.object({
      path: z.string().describe('Relative to the project where it lies in it, absolute elsewhere'),
      matches: z.number().describe('Lines that match'),
      lines: z.array(
        z.object({ line: z.number(), text: z.string(), match: z.boolean().describe('Or a line around one') }),
      ),
    }),
  ),
  matches: z.number().describe('Lines that match, in all files shown'),
  complete: z.boolean().describe('Whether there is no more to find'),
});

export const searchText: Tool = defineTool({
  name: 'search_text',
  title: 'Search text',
  description:
    'Searches what is in files for a regular expression (or plain text, with literal), line by line. ' +
    'Leaves out what .gitignore files leave out, unless told otherwise, and files that are not text. ' +
    'No look-around, no backreferences.',
  operations: ['read', 'list'],
  effect: 'read',
  input: z.object({
    pattern: z.string().min(1).describe('A regular expression'),
    path: z.string().default('.').describe('A directory or file to search; the project by default'),
    globs: z
      .array(z.string())
      .default([])
      .describe('Only these files: *.ts at any depth, src/**/*.ts from the path on'),
    exclude: z.array(z.string()).default([]).describe('Globs to leave out'),
    literal: z.boolean().default(false).describe('The pattern is plain text'),
    ignoreCase: z.boolean().default(false),
    wholeWord: z.boolean().default(false),
    context: z.number().int().min(0).max(20).default(0).describe('Lines to show around each match'),
    output: z
      .enum(['lines', 'files', 'counts'])
      .default('lines')
      .describe('The lines, only the files, or the files with their number of matches'),
    gitignore: z.boolean().default(true).describe('Leave out what .gitignore files say, and .git'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(limits.matches)
      .default(200)
      .describe('Matching lines at most; files, where only these are asked for'),
  }),
  output,
  async run({ path, output: shape, limit, ...asked }, call) {
    // Globs that could take for ever are refused whoever matches them.
    compileGlobs([...asked.globs, ...asked.exclude]);
    const ripgrep = await findRipgrep(process.env);
    // One more than is shown tells whether there is more.
    const perFile = { lines: limit + 1, files: 1, counts: limits.counted }[shape];
    const query = { ...asked, context: shape === 'lines' ? asked.context : 0, perFile };
    const { place, ...found } = await reach(call, { operation: 'read', path }, async (location) => {
      const hits = searchPlace(location, query, { ripgrep, signal: call.signal });
      const gathered = await gatherHits(hits, { shape, limit, tick: createTicker(call) });
      return { ...gathered, place: await placeOf(location) };
    });
    const workspace = await call.workspace();
    const files = found.files.map((file) => ({
      ...file,
      path: shownPath(workspace, join(place, file.path)),
    }));
    const answer = { ...found, files };
    return { content: [{ type: 'text', text: formatHits(answer, shape) }], structuredContent: answer };
  },
});
