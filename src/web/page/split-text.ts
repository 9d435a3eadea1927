/** A part of a text as it is shown: as it is, or the name of a character that cannot be seen. */
export interface TextPart {
  readonly text: string;
  readonly odd: boolean;
}

/** Control, bidirectional and invisible characters, and lone surrogates: they would lie to a reader. */
const odd =
  /\u034F|[\uFE00-\uFE0F]|[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]|\p{Surrogate}/gu;

/** Splits a text from outside, so that whatever lies in it can be seen. */
export function splitText(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(odd)) {
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

/** A text that is endless loses its middle. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
