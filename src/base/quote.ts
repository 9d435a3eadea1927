/** Longest text shown whole; a longer one keeps its head and its tail. */
const longest = 240;

/**
 * What would lie to a reader, by what Unicode says of it: control, format and bidirectional characters, lone
 * surrogates, whatever is drawn as nothing, and every space but the plain one. The page and the commands go by it.
 */
export const deceptive: RegExp =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * Text from outside in double quotes, safe to print for a person or a model: what cannot be seen is escaped,
 * what is endless is shortened in the middle.
 */
export function quote(text: string): string {
  return quoteUpTo(text, longest);
}

/** The same for a text that deserves more room, or less. */
export function quoteUpTo(text: string, most: number): string {
  return `"${escapeText(shorten(text, most).replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`;
}

/** Text from outside without quotes, for a table or a list: what cannot be seen or moves a cursor is escaped. */
export function escapeText(text: string): string {
  return text.replace(deceptive, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A line of a file, for a list of lines: as `escapeText`, but for tabs, which are how code is written. */
export function escapeLine(text: string): string {
  return text.search(deceptive) === -1 ? text : text.split('\t').map(escapeText).join('\t');
}

/** JSON in which nothing is raw that would lie to a reader: the same data, with escapes of its own. */
export function escapeJson(json: string): string {
  // A line end in JSON stands between its parts, and never in a text.
  return json.replace(deceptive, (character) => (character === '\n' ? character : escapeUnits(character)));
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A text that is endless loses its middle, and no character is cut in two. */
export function shorten(text: string, most: number = longest): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}…${tail}`;
}
