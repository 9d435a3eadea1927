import { escapeText } from '../../base/quote.ts';

export interface DocHeading {
  readonly level: number;
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The structure of a document. */
export interface DocOutline {
  /** Its title; `undefined` if it has no heading. */
  readonly title: string | undefined;
  readonly headings: readonly DocHeading[];
}

const longest = 160;

/** Maximum number of headings; a hostile file may have a hundred thousand. */
const mostHeadings = 2_000;

/** Finds the headings of a document line by line. Headings that need a full parser are not found. */
export function outlineOf(text: string, format: DocFormat): DocOutline {
  // Headings are not longer, and this bounds the work of the patterns.
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, longest * 2));
  const { skip, title } = frontMatter(lines);
  const headings = readers[format](lines, skip)
    .slice(0, mostHeadings)
    .map(({ level, text: raw, line }) => ({
      level,
      text: plain(raw),
      line,
    }));
  const shown = headings.filter((heading) => heading.text !== '');
  return { title: title ?? titleIn(lines, format) ?? shown[0]?.text, headings: shown };
}

/** Where HTML and data files say their title. */
const titles: { readonly [Format in DocFormat]?: RegExp } = {
  html: /<title[^>]*>(?<title>[^<]+)/i,
  data: /(?:^|[{,])[ \t]*"?title"?\s?:\s?["']?(?<title>[^"'\r\n]+)/,
};

/** Looks at the beginning only: further down a `title` is that of something else. */
function titleIn(lines: readonly string[], format: DocFormat): string | undefined {
  const pattern = titles[format];
  const [found] = lines.slice(0, 60).flatMap((line) => pattern?.exec(line)?.groups?.['title'] ?? []);
  return found === undefined || plain(found) === '' ? undefined : plain(found);
}

type Reader = (lines: readonly string[], from: number) => readonly DocHeading[];

const readers: { readonly [Format in DocFormat]: Reader } = {
  markdown: readMarkdown,
  restructuredtext: readUnderlined,
  asciidoc: readAsciidoc,
  html: readHtml,
  text: readUnderlined,
  data: () => [],
};

/** Skips metadata between two lines of dashes, and reads its title. */
function frontMatter(lines: readonly string[]): { skip: number; title: string | undefined } {
  const end = lines[0]?.trimEnd() === '---' ? lines.slice(0, 200).indexOf('---', 1) : -1;
  if (end === -1) return { skip: 0, title: undefined };
  const title = lines
    .slice(1, end)
    .map((line) => /^title:\s*["']?(?<title>.*?)["']?\s*$/.exec(line)?.groups?.['title'])
    .find((found) => found !== undefined && found !== '');
  return { skip: end + 1, title: title === undefined ? undefined : plain(title) };
}

function readMarkdown(lines: readonly string[], from: number): readonly DocHeading[] {
  const headings: DocHeading[] = [];
  let fence: string | undefined;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const mark = /^ {0,3}(?<fence>`{3,}|~{3,})/.exec(line)?.groups?.['fence'];
    const closes = mark !== undefined && fence !== undefined && mark.startsWith(fence);
    if (mark !== undefined && (fence === undefined || closes)) fence = closes ? undefined : mark;
    if (fence !== undefined || mark !== undefined) continue;
    const heading = atxHeading(line) ?? setextHeading(lines, index);
    if (heading !== undefined) headings.push({ ...heading, line: index + 1 });
  }
  return headings;
}

function atxHeading(line: string): Omit<DocHeading, 'line'> | undefined {
  const { marks = '', text = '' } = /^ {0,3}(?<marks>#{1,6})(?:[ \t]+(?<text>.*))?$/.exec(line)?.groups ?? {};
  return marks === '' ? undefined : { level: marks.length, text: text.replace(/[ \t]+#+[ \t]*$/, '') };
}

/** A line of text with `===` or `---` beneath it. */
function setextHeading(lines: readonly string[], index: number): Omit<DocHeading, 'line'> | undefined {
  const line = lines[index] ?? '';
  const { mark } = /^ {0,3}(?<mark>=|-)\k<mark>+[ \t]*$/.exec(lines[index + 1] ?? '')?.groups ?? {};
  if (mark === undefined || !/^ {0,3}[^\s>|#`*+\-<]/.test(line) || (lines[index - 1] ?? '').trim() !== '')
    return undefined;
  return { level: mark === '=' ? 1 : 2, text: line };
}

/** The level depends on the underline character, in order of appearance. */
function readUnderlined(lines: readonly string[], from: number): readonly DocHeading[] {
  const headings: DocHeading[] = [];
  const levels: string[] = [];
  for (let index = from; index < lines.length - 1; index += 1) {
    const line = lines[index] ?? '';
    const { mark } = /^(?<mark>[=\-~^"'`#*+.:_])\k<mark>{2,}\s*$/.exec(lines[index + 1] ?? '')?.groups ?? {};
    if (
      mark === undefined ||
      !/^\s*\w/.test(line) ||
      (lines[index + 1] ?? '').trimEnd().length < line.trimEnd().length
    )
      continue;
    const isOver = (lines[index - 1] ?? '').startsWith(mark.repeat(3));
    const style = isOver ? `${mark}${mark}` : mark;
    if (!levels.includes(style)) levels.push(style);
    headings.push({ level: levels.indexOf(style) + 1, text: line, line: index + 1 });
  }
  return headings;
}

/** Finds headings that begin and end in one line. */
function readHtml(lines: readonly string[], from: number): readonly DocHeading[] {
  return lines.slice(from).flatMap((line, index) =>
    [...line.matchAll(/<h(?<level>[1-6])\b[^>]{0,200}>(?<text>.{0,200}?)<\/h/gi)].map(({ groups }) => ({
      level: Number(groups?.['level']),
      text: groups?.['text'] ?? '',
      line: from + index + 1,
    })),
  );
}

function readAsciidoc(lines: readonly string[], from: number): readonly DocHeading[] {
  const headings: DocHeading[] = [];
  let block: string | undefined;
  for (let index = from; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trimEnd();
    if (/^(?:-{4,}|\.{4,}|={4,}|\+{4,}|\/{4,})$/.test(line))
      block = block === line ? undefined : (block ?? line);
    if (block !== undefined) continue;
    const { marks, text } = /^(?<marks>={1,6}) (?<text>\S.*)$/.exec(line)?.groups ?? {};
    if (marks !== undefined && text !== undefined)
      headings.push({ level: marks.length, text, line: index + 1 });
  }
  return headings;
}

/** Removes markup of links, code and emphasis, and limits the length. */
function plain(text: string): string {
  const bare = text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[(?<text>[^\]]*)\]\([^)]*\)/g, '$<text>')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[`*]/g, '')
    .trim();
  return escapeText(bare).slice(0, longest);
}

/** The kind and format of a document. */
export interface DocKind {
  readonly kind: 'readme' | 'changelog' | 'contributing' | 'guide' | 'other';
  readonly format: DocFormat;
}

export type DocFormat = 'markdown' | 'restructuredtext' | 'asciidoc' | 'html' | 'text' | 'data';

const formats: Readonly<Record<string, DocFormat>> = {
  '.md': 'markdown',
  '.mdx': 'markdown',
  '.markdown': 'markdown',
  '.mkd': 'markdown',
  '.rst': 'restructuredtext',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
};

/** Formats of documents only by their name or directory: elsewhere such files are something else. */
const formatsInDocs: Readonly<Record<string, DocFormat>> = {
  '': 'text',
  '.txt': 'text',
  '.org': 'text',
  '.tex': 'text',
  '.rdoc': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.yaml': 'data',
  '.yml': 'data',
  '.json': 'data',
  '.jsonc': 'data',
  '.json5': 'data',
  '.toml': 'data',
  '.xml': 'data',
};

/** Files that are recognized by name, with any extension or none. */
const names = [
  { kind: 'readme', pattern: /^readme\b/i },
  { kind: 'changelog', pattern: /^(?:changelog|changes|history|news|releases?(?:[-_ ]?notes)?)(?:\.|$)/i },
  {
    kind: 'contributing',
    pattern: /^(?:contributing|code[-_]of[-_]conduct|security|support|governance|maintainers)(?:\.|$)/i,
  },
] as const;

/** Directories with documentation. */
const guides = /(?:^|\/)(?:docs?|documentation|guides?|manual|wiki|adrs?|rfcs?|decisions)\//i;

/** Returns the kind of a document by its path from the root; `undefined` if it is not one. */
export function docKindOf(path: string): DocKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot).toLowerCase() : '';
  const format = formats[extension] ?? formatsInDocs[extension];
  if (format === undefined) return undefined;
  const named = names.find(({ pattern }) => pattern.test(name));
  if (named !== undefined) return { kind: named.kind, format };
  // Data comes after what people write.
  if (guides.test(path)) return { kind: format === 'data' ? 'other' : 'guide', format };
  return extension in formats ? { kind: 'other', format } : undefined;
}
