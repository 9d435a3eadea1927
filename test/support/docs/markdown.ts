/** One fenced block; `line` is that of its first line of code, counted from 1. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  readonly line: number;
}

/** The fenced blocks of a Markdown text, in order. */
export function codeBlocks(text: string): CodeBlock[] {
  return splitFences(text).blocks;
}

/** What is written as `code` within sentences. */
export function inlineCode(text: string): string[] {
  return [...splitFences(text).prose.matchAll(codeSpan)].map(([, , code = '']) => code.trim());
}

/** The text with everything blank that is not Markdown; each line stays where it was. */
export function proseOf(text: string): string {
  return splitFences(text)
    .prose.replace(/<!--[^]*?-->/g, blank)
    .replace(codeSpan, blank);
}

/** The text with its fenced blocks blank. */
export function withoutBlocks(text: string): string {
  return splitFences(text).prose;
}

/** As many backticks at the end as at the start, within one paragraph. */
const codeSpan = /(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[^])+?)(?<!`)\1(?!`)/g;

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

interface OpenFence {
  readonly mark: string;
  readonly language: string;
  readonly start: number;
}

function splitFences(text: string): { prose: string; blocks: CodeBlock[] } {
  const lines = text.split(/\r?\n/);
  const prose: string[] = [];
  const blocks: CodeBlock[] = [];
  let open: OpenFence | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = open;
    if (fence === undefined) {
      open = openFence(line, index);
      prose.push(open === undefined ? line : '');
      continue;
    }
    prose.push('');
    if (!closes(line, fence)) continue;
    const code = lines.slice(fence.start, index).join('\n');
    blocks.push({ language: fence.language, code, line: fence.start + 1 });
    open = undefined;
  }
  if (open !== undefined) throw new Error(`Cannot read Markdown: the block at line ${open.start} has no end`);
  return { prose: prose.join('\n'), blocks };
}

function openFence(line: string, index: number): OpenFence | undefined {
  const [, mark, language = ''] = /^\s*(?:[-*+] |\d+\. )?(`{3,}|~{3,})\s*([\w+-]*)[^`]*$/.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, language, start: index + 1 };
}

function closes(line: string, { mark }: OpenFence): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text === mark.charAt(0).repeat(text.length);
}
