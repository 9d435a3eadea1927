import type { DocKind, DocOutline } from './doc-outline.ts';

/** A document that was read. */
export interface DocText {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly kind: DocKind['kind'];
  readonly outline: DocOutline;
  readonly text: string;
}

export interface DocScore {
  readonly score: number;
  /** Explains the points. */
  readonly why: string;
  /** The lines that match best, counted from 1. */
  readonly snippets: readonly DocSnippet[];
}

export interface DocSnippet {
  readonly line: number;
  readonly text: string;
}

/** Points per word of the query, and where it occurs. Every result explains them. */
const points = { words: 6, title: 8, heading: 4, path: 5, text: 1, phrase: 10 } as const;
/** Upper limits, so that a word that occurs everywhere does not outweigh the rest. */
const most = { headings: 5, texts: 10, snippets: 3, snippet: 240 } as const;

const standing: { readonly [Kind in DocKind['kind']]: number } = {
  readme: 3,
  guide: 2,
  contributing: 1,
  changelog: 1,
  other: 0,
};

/** Returns the distinct words of a query: letters and digits, in lower case. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, 16);
}

/**
 * Scores a document for a query: points for each word in title, headings, path and text, for the number of different
 * words, for the whole phrase, and a few for the kind of document. Returns `undefined` if no word occurs.
 */
export function scoreDoc(doc: DocText, query: string): DocScore | undefined {
  const words = wordsOf(query);
  const text = doc.text.toLowerCase();
  const phrase = query.trim().toLowerCase();
  const headings = doc.outline.headings.map((heading) => heading.text.toLowerCase());
  const title = (doc.outline.title ?? '').toLowerCase();
  const path = doc.path.toLowerCase();
  const isIn = (word: string): boolean => text.includes(word) || path.includes(word);
  const found = {
    // Documents with more of the words rank higher.
    words: words.length > 1 ? words.filter(isIn).length : 0,
    title: count(words, (word) => (title.includes(word) ? 1 : 0)),
    heading: count(words, (word) =>
      Math.min(most.headings, headings.filter((heading) => heading.includes(word)).length),
    ),
    path: count(words, (word) => (path.includes(word) ? 1 : 0)),
    text: count(words, (word) => Math.min(most.texts, occurrences(text, word))),
    phrase: words.length > 1 && text.includes(phrase) ? 1 : 0,
  };
  const kinds = Object.keys(points) as (keyof typeof points)[];
  const earned = kinds.filter((kind) => found[kind] > 0);
  if (earned.length === 0) return undefined;
  const sum = earned.reduce((total, kind) => total + found[kind] * points[kind], standing[doc.kind]);
  const parts = earned.map((kind) => `${kind} ${found[kind]}×${points[kind]}`);
  const why = [...parts, ...(standing[doc.kind] > 0 ? [`${doc.kind} ${standing[doc.kind]}`] : [])].join(
    ' + ',
  );
  return { score: sum, why, snippets: snippetsOf(doc.text, words) };
}

/** Scores a document without a query: what people usually read first ranks highest. */
export function standingOf({ path, kind }: Pick<DocText, 'path' | 'kind'>): DocScore {
  const depth = path.split('/').length - 1;
  const score = Math.max(0, 10 + standing[kind] * 5 - depth * 2);
  return { score, why: `${kind} ${10 + standing[kind] * 5} − ${depth} levels deep ×2`, snippets: [] };
}

function count(words: readonly string[], measure: (word: string) => number): number {
  return words.reduce((sum, word) => sum + measure(word), 0);
}

function occurrences(text: string, word: string): number {
  let found = 0;
  for (
    let at = text.indexOf(word);
    at !== -1 && found < most.texts;
    at = text.indexOf(word, at + word.length)
  )
    found += 1;
  return found;
}

/** Returns the lines with most of the words, in document order. */
function snippetsOf(text: string, words: readonly string[]): readonly DocSnippet[] {
  const lines = text.split(/\r?\n/);
  const rated = lines.map((line, index) => {
    const lower = line.toLowerCase();
    return { index, hits: words.filter((word) => lower.includes(word)).length };
  });
  return rated
    .filter(({ hits }) => hits > 0)
    .toSorted((one, other) => other.hits - one.hits || one.index - other.index)
    .slice(0, most.snippets)
    .toSorted((one, other) => one.index - other.index)
    .map(({ index }) => ({ line: index + 1, text: cut(lines[index] ?? '', words) }));
}

/** Returns the part of a long line around the first of the words. */
function cut(line: string, words: readonly string[]): string {
  const text = line.trim();
  if (text.length <= most.snippet) return text;
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at !== -1));
  const start = Math.max(0, Math.min(first - 60, text.length - most.snippet));
  const end = start + most.snippet;
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`;
}
