import type { Gathered, GatheredFile, GatheredLine, HitShape } from './gather-hits.ts';

/** Results as a model reads them best: the path once, then its lines with their numbers. */
export function formatHits({ files, matches, complete }: Gathered, shape: HitShape): string {
  if (files.length === 0) return complete ? 'No matches found' : `No matches found so far\n${unfinished}`;
  const body = files.map(formats[shape]).join(shape === 'lines' ? '\n\n' : '\n');
  const sum = `[${matches} matching lines in ${files.length} files]`;
  return `${body}\n\n${complete ? (shape === 'files' ? `[${files.length} files]` : sum) : unfinished}`;
}

const unfinished =
  '[Cut: there may be more. Narrow the search by path, globs or a longer pattern, or raise the limit.]';

const formats: { readonly [Shape in HitShape]: (file: GatheredFile) => string } = {
  files: ({ path }) => path,
  counts: ({ path, matches }) => `${path}: ${matches}`,
  lines: ({ path, lines }) => [path, ...lines.flatMap(formatLine)].join('\n'),
};

/** With `:` for a match and `-` for a line around one, and a mark where lines are left out between them. */
function formatLine(
  { line, text, match }: GatheredLine,
  index: number,
  lines: readonly GatheredLine[],
): readonly string[] {
  const before = lines[index - 1];
  const hasContext = lines.some((other) => !other.match);
  const isApart = hasContext && before !== undefined && before.line !== line - 1;
  return [...(isApart ? ['--'] : []), `${line}${match ? ':' : '-'} ${text}`];
}
