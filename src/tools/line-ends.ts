/** A text whose lines all end alike, and how each of them really ends. */
export interface LineEnds {
  readonly plain: string;
  /** Of each line that has an end, in order. */
  readonly ends: readonly string[];
}

export function splitEnds(text: string): LineEnds {
  return { plain: toPlain(text), ends: text.match(/\r?\n/g) ?? [] };
}

export function toPlain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The text again, each line with its own end. */
export function joinLines({ plain, ends }: LineEnds): string {
  if (ends.every((end) => end === '\n')) return plain;
  let line = -1;
  return plain.replaceAll('\n', () => ends[(line += 1)] ?? '\n');
}
