/** A text whose lines all end alike, and how each of them really ends. */
export interface LineEnds {
  readonly plain: string;
  /** How every line ends; of each line that has an end, in order, where they differ. */
  readonly ends: string | readonly string[];
}

export function splitEnds(text: string): LineEnds {
  const plain = toPlain(text);
  const long = text.length - plain.length;
  if (long === 0) return { plain, ends: '\n' };
  if (long === countEnds(plain)) return { plain, ends: '\r\n' };
  return { plain, ends: text.match(/\r?\n/g) ?? [] };
}

export function toPlain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** How many lines of a plain text have an end. */
export function countEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The text again, each line with its own end. */
export function joinLines({ plain, ends }: LineEnds): string {
  if (typeof ends === 'string') return ends === '\n' ? plain : plain.replaceAll('\n', ends);
  let line = -1;
  return plain.replaceAll('\n', () => ends[(line += 1)] ?? '\n');
}
