import { join } from 'node:path';
import { z } from 'zod';
import { Turnstile } from '../../base/turnstile.ts';
import { findProgram, isProgram } from '../../boundary/process/find-program.ts';
import { createTextReaders } from '../../boundary/read/text-readers.ts';
import { RootwardError } from '../../errors.ts';
import { compileGlobs } from '../../path/glob.ts';
import { structuredArgument } from '../tool/answer.ts';
import { globList, limits, pathText } from '../tool/answer-limits.ts';
import { shownPath } from '../tool/shown-path.ts';
import { realPlaceOf } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { formatHits, type GatheredHits, gatherHits } from './gather-hits.ts';
import { searchPlace } from './search-place.ts';

const output = z.object({
  files: z.array(
    z.object({
      path: z.string().describe('Relative to the project if inside it, otherwise absolute'),
      matches: z.number().describe('Lines that match'),
      lines: z.array(
        z.object({ line: z.number(), text: z.string(), match: z.boolean().describe('Or a line around one') }),
      ),
    }),
  ),
  matches: z.number().describe('Lines that match, in all files shown'),
  complete: z.boolean().describe('Whether there is no more to find'),
  next: z.number().optional().describe('Offset to continue with, if there is more'),
});

export const searchText: Tool = createSearchText();

/** Limits concurrent searches of all callers: each has a ripgrep process and texts in memory. */
function createSearchText(): Tool {
  const readers = createTextReaders();
  const turnstile = new Turnstile({ places: limits.searches, waiting: limits.waitingSearches });
  return defineTool({
    name: 'search_text',
    title: 'Search text',
    description:
      'Searches the contents of files for a regular expression (or plain text, with literal), line by line. ' +
      'Skips what .gitignore files exclude, unless told otherwise, and files that are not text. ' +
      'No look-around, no backreferences.',
    operations: ['read', 'list'],
    effect: 'read',
    answers: 'data on request',
    input: z.object({
      pattern: z.string().min(1).max(limits.pattern).describe('A regular expression'),
      path: pathText.default('.').describe('A directory or file to search; the project by default'),
      globs: globList
        .default([])
        .describe('Only these files: *.ts at any depth, src/**/*.ts from the path on'),
      exclude: globList.default([]).describe('Globs to exclude'),
      literal: z.boolean().default(false).describe('The pattern is plain text'),
      ignoreCase: z.boolean().default(false),
      wholeWord: z.boolean().default(false),
      context: z.number().int().min(0).max(20).default(0).describe('Lines to show around each match'),
      output: z
        .enum(['lines', 'files', 'counts'])
        .default('lines')
        .describe('The lines, only the files, or the files with their number of matches'),
      gitignore: z.boolean().default(true).describe('Skip what .gitignore files exclude, and .git'),
      limit: z
        .number()
        .int()
        .min(1)
        .max(limits.matches)
        .default(200)
        .describe('Maximum number of matching lines, or of files if only these are asked for'),
      offset: z
        .number()
        .int()
        .min(0)
        .max(limits.counted)
        .default(0)
        .describe('How many of these to skip, to continue after a result that was cut'),
      structured: structuredArgument,
    }),
    output,
    async run({ path, output: shape, limit, offset, structured: _form, ...asked }, call) {
      if (asked.pattern.includes('\0')) throw noZero(asked.pattern);
      // Refuses globs that could take for ever.
      compileGlobs([...asked.globs, ...asked.exclude]);
      const ripgrep = await findRipgrep(process.env);
      // One extra result tells whether there is more.
      const most = offset + limit + 1;
      const kinds = {
        lines: { perFile: most, lines: most },
        files: { perFile: 1, context: 0 },
        counts: { perFile: limits.counted, context: 0 },
      } as const;
      const query = { ...asked, ...kinds[shape] };
      const tick = createTicker(call);
      const { place, ...found } = await call.reach(
        { operation: 'read', path, remedies },
        async (location) => {
          const at = await realPlaceOf(location);
          const ahead = shownPath(await call.workspace(), at).length;
          const search = (): Promise<GatheredHits> => {
            const hits = searchPlace(location, query, { ripgrep, readers, signal: call.signal });
            return gatherHits(hits, { shape, limit, offset, room: call.room, ahead, tick });
          };
          const wait = { milliseconds: limits.waitMilliseconds, signal: call.signal };
          const gathered = await turnstile.pass(search, wait);
          if (gathered === 'full') throw tooMany(path);
          return { ...gathered, place: at };
        },
      );
      const workspace = await call.workspace();
      const files = found.files.map((file) => ({
        ...file,
        path: shownPath(workspace, join(place, file.path)),
      }));
      const answer = { ...found, files };
      return { content: [{ type: 'text', text: formatHits(answer, shape) }], structuredContent: answer };
    },
  });
}

function noZero(pattern: string): RootwardError<'INVALID_PATTERN'> {
  return new RootwardError('INVALID_PATTERN', {
    pattern,
    reason: 'it contains a NUL byte, which no text has',
  });
}

function tooMany(path: string): RootwardError<'BUSY'> {
  const remedy = 'Too many searches run already: wait until some have ended, then try again';
  return new RootwardError('BUSY', { verb: 'search', path, remedy });
}

const remedies = {
  TOO_LARGE: 'Read the part that matters with read_text_file: head, tail, or from an offset on',
} as const;

type Load = () => Promise<{ readonly rgPath: string }>;

const loadOwn: Load = () => import('@vscode/ripgrep');

/**
 * Returns the absolute path of ripgrep: the bundled one, or one of the system. The bundled one is as trustworthy as our
 * own code next to it.
 */
export async function findRipgrep(
  environment: NodeJS.ProcessEnv,
  load: Load = loadOwn,
): Promise<string | undefined> {
  return (await findOwn(load)) ?? findProgram('rg', environment['PATH']).file;
}

/** Returns the ripgreps that were rejected as unsafe, each with the reason. */
export async function findUnsafeRipgreps(
  environment: NodeJS.ProcessEnv,
  load: Load = loadOwn,
): Promise<readonly string[]> {
  const { passedOver } = findProgram('rg', environment['PATH']);
  return passedOver.length === 0 || (await findOwn(load)) !== undefined ? [] : passedOver;
}

async function findOwn(load: Load): Promise<string | undefined> {
  const own = await load().then(
    ({ rgPath }) => rgPath,
    // The optional dependency is not available for this system.
    () => undefined,
  );
  return own !== undefined && isProgram(own) ? own : undefined;
}
