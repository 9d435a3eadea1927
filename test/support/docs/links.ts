import { lineAt } from '../../architecture/parse-source.ts';
import { proseOf } from './markdown.ts';

export interface Link {
  readonly target: string;
  readonly line: number;
}

/** Every target in a Markdown text: links, images, reference definitions, `href` and `src`. */
export function linksOf(text: string): Link[] {
  const prose = proseOf(text);
  return forms.flatMap((form) =>
    [...prose.matchAll(form)].map(({ index, 1: target = '' }) => ({ target, line: lineAt(prose, index) })),
  );
}

const forms: readonly RegExp[] = [
  /\]\(\s*<?([^)\s>]*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g,
  /^ {0,3}\[(?!\^)[^\]]+\]:\s*<?([^\s>]+)/gm,
  /<[a-z]\w*\s[^>]*\b(?:href|src)="([^"]*)"/g,
];
