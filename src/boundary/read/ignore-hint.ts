/**
 * Whether a rule of a `.gitignore` could concern an entry of this name, told by the last part of each rule.
 * Says yes too often and never no too often: a rule that does not match the last name of a path cannot match
 * the path itself, and whoever asks has asked about the directories above already.
 */
export function createIgnoreHint(lines: readonly string[], ignoreCase: boolean): (name: string) => boolean {
  const key = ignoreCase ? (text: string) => text.toUpperCase() : (text: string) => text;
  const endings = lines.map(lastPart).filter((part) => part !== '');
  const names = new Set(endings.filter((part) => !hasWildcard(part)).map(key));
  const fragments = [...new Set(endings.filter(hasWildcard).map(longestLiteral).map(key))];
  return (name) => {
    const text = key(name);
    return names.has(text) || fragments.some((fragment) => text.includes(fragment));
  };
}

/** Of `!/a/b*.c/` what the last name must match: `b*.c`. Nothing of an empty line or a comment. */
function lastPart(line: string): string {
  if (line.startsWith('#')) return '';
  const rule = line
    .trimEnd()
    .replace(/^\uFEFF/, '')
    .replace(/^!/, '')
    .replace(/\/$/, '');
  return rule.slice(rule.lastIndexOf('/') + 1);
}

function hasWildcard(part: string): boolean {
  return /[*?[\]\\]/.test(part);
}

/** The longest text that every match contains; nothing where escapes or odd brackets make that hard to tell. */
function longestLiteral(part: string): string {
  const open = part.replaceAll(/\[[A-Za-z0-9.-]+\]/g, '*');
  if (/[[\]\\]/.test(open)) return '';
  return open
    .split(/[*?]/)
    .reduce((longest, literal) => (literal.length > longest.length ? literal : longest), '');
}
