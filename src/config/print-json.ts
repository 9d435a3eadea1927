/** How a text is laid out, so that what is added looks as if the same person had written it. */
export interface Layout {
  /** One step to the right. */
  readonly unit: string;
  readonly eol: string;
}

/** The layout that a text has; two spaces and the line ends of posix where it shows none. */
export function layoutOf(text: string): Layout {
  const [, indent] = /\n([ \t]+)["{[]/.exec(text) ?? [];
  return {
    unit: indent?.startsWith('\t') ? '\t' : (indent ?? '  '),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** A value as JSON that a person can read: short lists of words on one line, everything else spread out. */
export function printJson(value: unknown, layout: Layout, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + layout.unit;
  const items = Array.isArray(value)
    ? value.map((item) => printJson(item, layout, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => printMember(key, member, layout, inner));
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  const short = `${open}${items.join(', ')}${close}`;
  if (Array.isArray(value) && value.every(isWord) && short.length <= longestLine) return short;
  return `${open}${layout.eol}${items.map((item) => inner + item).join(`,${layout.eol}`)}${layout.eol}${indent}${close}`;
}

/** Characters. */
const longestLine = 80;

export function printMember(key: string, value: unknown, layout: Layout, indent: string): string {
  return `${JSON.stringify(key)}: ${printJson(value, layout, indent)}`;
}

function isWord(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
