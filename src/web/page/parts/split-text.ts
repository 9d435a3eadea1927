import { deceptive } from '../../../base/quote.ts';

/** A part of a text as it is shown: as it is, or the name of a character that cannot be seen. */
export interface TextPart {
  readonly text: string;
  readonly odd: boolean;
}

/** Splits a text from outside, so that whatever lies in it can be seen. */
export function splitText(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(deceptive)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), odd: false });
    parts.push({ text: nameOf(match[0]), odd: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), odd: false });
  return parts;
}

/** The same as plain text, for labels that are only heard. */
export function plainText(text: string): string {
  return splitText(text)
    .map((part) => part.text)
    .join('');
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

export { shorten } from '../../../base/quote.ts';
