/** Longest text shown whole; a longer one keeps its head and its tail. */
const longest = 240;

/** Control, bidirectional and invisible characters, and lone surrogates: they would lie to a reader. */
const deceptive =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]|\p{Surrogate}/gu;

/**
 * Text from outside in double quotes, safe to print for a person or a model: what cannot be seen is escaped,
 * what is endless is shortened in the middle.
 */
export function quote(text: string): string {
  return `"${escapeText(shorten(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`;
}

/** Text from outside without quotes, for a table or a list: what cannot be seen or moves a cursor is escaped. */
export function escapeText(text: string): string {
  return text.replace(deceptive, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function shorten(text: string): string {
  if (text.length <= longest) return text;
  const half = longest / 2;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
