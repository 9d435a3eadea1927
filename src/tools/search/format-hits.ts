import { escapeLine } from '../../base/quote.ts';
import type { Gathered, GatheredFile, GatheredLine, HitShape } from './gather-hits.ts';

/** Results as a model reads them best: the path once, then its lines with their numbers. */
export function formatHits({ files, matches, complete, next }: Gathered, shape: HitShape): string {
  const unfinished = next === undefined ? stopped : cutAt(next);
  if (files.length === 0) return complete ? 'No matches found' : `No matches found so far\n${unfinished}`;
  const body = files.map(formats[shape]).join(shape === 'lines' ? '\n\n' : '\n');
  const isEscaped =
    shape === 'lines' && files.some(({ lines }) => lines.some(({ text }) => escapeLine(text) !== text));
  const sum = `[${matches} matching lines in ${files.length} files]`;
  return `${body}\n\n${isEscaped ? `${escaped}\n` : ''}${complete ? (shape === 'files' ? `[${files.length} files]` : sum) : unfinished}`;
}

const escaped =
  '[Characters that cannot be seen are shown as \\u{…} in these lines: read the file to have them as they are.]';

const stopped =
  '[Cut: not everything was looked at, because it took too long. Narrow the search by path, globs or a longer pattern.]';

function cutAt(next: number): string {
  return `[Cut: there is more. To go on, call again with offset ${next}; or narrow the search by path, globs or a longer pattern.]`;
}

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
  return [...(isApart ? ['--'] : []), `${line}${match ? ':' : '-'} ${escapeLine(text)}`];
}
