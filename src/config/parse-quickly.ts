/**
 * What most files say, by the parser of the language: comments and commas at the end are blanked out first.
 * `undefined` where that is not sure to be right, such as for a key that stands twice.
 */
export function parseQuickly(text: string): { readonly value: unknown } | undefined {
  const bare = text.replace(commentOrText, blankComment).replace(trailingComma, keepText);
  try {
    const value: unknown = JSON.parse(bare);
    return countKeys(value) === countWritten(bare) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Texts are matched so that what looks like a comment within one is none. */
const commentOrText = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n\r]*|\/\*[^]*?\*\//g;

function blankComment(match: string): string {
  return match.startsWith('"') ? match : ' ';
}

const trailingComma = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g;

/** A comma at the end stands behind something. */
function keepText(match: string, offset: number, text: string): string {
  if (match !== ',') return match;
  let before = offset - 1;
  while (/\s/.test(text.charAt(before))) before -= 1;
  return /[[{,:]/.test(text.charAt(before)) ? match : '';
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countKeys(member), own);
}

/** Only a key has a colon behind it. */
function countWritten(bare: string): number {
  return bare.match(/"(?:[^"\\\n]|\\.)*"\s*:/g)?.length ?? 0;
}
