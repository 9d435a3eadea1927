/** Longest text shown in full; a longer one keeps its head and its tail. */
const longest = 240;

/**
 * Characters that can mislead a reader, by their Unicode properties: control, format and bidirectional
 * characters, lone surrogates, characters that are drawn as nothing, and every space but the plain one.
 */
export const deceptive: RegExp =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * Puts a text from outside in double quotes, safe to print for a person or a model: escapes invisible
 * characters and shortens long text in the middle.
 */
export function quote(text: string): string {
  return quoteUpTo(text, longest);
}

/** Quotes like `quote`, with another limit on the length. */
export function quoteUpTo(text: string, most: number): string {
  return `"${escapeText(shorten(text, most).replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`;
}

/** Escapes the deceptive characters of a text from outside, without quotes, for a table or a list. */
export function escapeText(text: string): string {
  return text.replace(deceptive, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes a line of a file like `escapeText`, but keeps tabs, because source code contains them. */
export function escapeLine(text: string): string {
  return text.search(deceptive) === -1 ? text : text.split('\t').map(escapeText).join('\t');
}

/** Escapes the deceptive characters of a JSON text with JSON escapes, so that it parses to the same data. */
export function escapeJson(json: string): string {
  // Most texts are plain, and large ones are passed on quickly.
  if (!/[^\n -~]/.test(json)) return json;
  // Inside a JSON string a line feed is always escaped, so a raw one is white space between tokens.
  return json.replace(deceptive, (character) => (character === '\n' ? character : escapeUnits(character)));
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Cuts the middle out of a text that is too long, without splitting a surrogate pair. */
export function shorten(text: string, most: number = longest): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}…${tail}`;
}
