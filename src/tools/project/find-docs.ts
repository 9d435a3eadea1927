import { join } from 'node:path';
import { z } from 'zod';
import { escapeLine } from '../../base/quote.ts';
import type { CallWorkspace } from '../../server/settings/rootward.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { shownPath } from '../tool/shown-path.ts';
import { startAt } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall, type ToolResult } from '../tool/tool.ts';
import { gatherDocs } from './doc-gather.ts';
import { type DocScore, type DocText, scoreDoc, standingOf, wordsOf } from './doc-score.ts';
import { eachPlace } from './project-survey.ts';

const line = z.number().describe('The first line is 1');

const output = z.object({
  docs: z.array(
    z.object({
      path: z.string().describe('Relative to the project if inside it, otherwise absolute'),
      kind: z.enum(['readme', 'changelog', 'contributing', 'guide', 'other']),
      title: z.string().optional(),
      score: z.number(),
      why: z.string().describe('How its score was computed'),
      outline: z.array(z.object({ level: z.number(), text: z.string(), line })),
      snippets: z.array(z.object({ line, text: z.string() })),
    }),
  ),
  total: z.number().describe('Total number of matching documents'),
  complete: z.boolean().describe('Whether every document was looked at'),
  next: z.number().optional().describe('Offset of the first document that is not shown'),
});

export const findDocs: Tool = defineTool({
  name: 'find_docs',
  title: 'Find documentation',
  description:
    'Finds what is written about the project: README, CHANGELOG, Markdown, reStructuredText, AsciiDoc, and in ' +
    'docs also HTML, YAML and JSON. ' +
    'With a query the best answers come first, with the lines that match; without one, what people read first. ' +
    'Gives titles and outlines with line numbers, for read_text_file.',
  operations: ['read', 'list'],
  effect: 'read',
  input: z.object({
    query: z.string().max(500).optional().describe('Words to look for; any of them counts'),
    path: pathText.optional().describe('A directory to look in; all roots by default'),
    limit: z.number().int().min(1).max(100).default(15),
    offset: z.number().int().min(0).default(0).describe('How many results to skip'),
    headings: z.number().int().min(0).max(200).default(25).describe('How many headings of each to give'),
  }),
  output,
  run: async ({ query = '', path, limit, offset, headings }, call) => {
    const workspace = await call.workspace();
    const deadline = performance.now() + limits.lookMilliseconds;
    const places = await eachPlace(call, path, (location) =>
      look(location, query, { call, workspace, headings, deadline }),
    );
    const ranked = places.flatMap(({ docs }) => docs).toSorted(byScore);
    const shown = ranked.slice(offset, offset + limit).map(describe);
    const end = offset + shown.length;
    return resultOf({
      docs: shown,
      total: ranked.length,
      complete: places.every(({ complete }) => complete),
      ...(end < ranked.length ? { next: end } : {}),
    });
  },
});

interface RankedDoc extends Omit<DocText, 'text'>, DocScore {
  readonly shown: string;
}

interface DocSearch {
  readonly call: ToolCall;
  readonly workspace: CallWorkspace;
  /** Maximum per document. */
  readonly headings: number;
  /** In terms of `performance.now`. */
  readonly deadline: number;
}

async function look(
  location: Location,
  query: string,
  { call, workspace, headings, deadline }: DocSearch,
): Promise<{ docs: readonly RankedDoc[]; complete: boolean }> {
  const start = await startAt(location);
  const isAsked = wordsOf(query).length > 0;
  const keep = ({ text, path, kind, outline }: DocText): RankedDoc | undefined => {
    const score = isAsked ? scoreDoc({ text, path, kind, outline }, query) : standingOf({ path, kind });
    if (score === undefined) return undefined;
    const shown = shownPath(workspace, join(location.root.path, path));
    const first = { ...outline, headings: outline.headings.slice(0, headings) };
    return { path, kind, outline: first, ...score, shown };
  };
  return gatherDocs(start, { keep, deadline, signal: call.signal, tick: createTicker(call) });
}

function byScore(one: RankedDoc, other: RankedDoc): number {
  return other.score - one.score || (one.shown < other.shown ? -1 : 1);
}

type DescribedDoc = z.output<typeof output>['docs'][number];

function describe({ shown, kind, outline, score, why, snippets }: RankedDoc): DescribedDoc {
  return {
    path: shown,
    kind,
    ...(outline.title === undefined ? {} : { title: outline.title }),
    score,
    why,
    outline: [...outline.headings],
    snippets: [...snippets],
  };
}

function resultOf(found: z.output<typeof output>): ToolResult<z.output<typeof output>> {
  const { docs, total, complete, next } = found;
  const lines = [
    ...(docs.length === 0 ? ['Nothing found'] : docs.map(textOf)),
    ...(next === undefined ? [] : [`[${total} in all. To see more, call again with offset ${next}.]`]),
    ...(complete ? [] : ['[Not every document was searched: start in a subdirectory.]']),
  ];
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: found };
}

function textOf({ path, title, score, why, outline, snippets }: DescribedDoc): string {
  const head = `${path}${title === undefined ? '' : `: ${title}`} (${score} points: ${why})`;
  const parts = outline.map(({ level, text, line: at }) => `${'  '.repeat(level)}${at}: ${text}`);
  const hits = snippets.map(({ line: at, text }) => `  > ${at}: ${escapeLine(text)}`);
  return [head, ...hits, ...parts].join('\n');
}
