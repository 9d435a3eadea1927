import type { Readable } from 'node:stream';

/** One line as ripgrep saw it: a hint where to look. */
export interface HintLine {
  readonly line: number;
  readonly bytes: Buffer;
  /** Of its first byte in the file. */
  readonly offset: number;
  /** Byte in the line where the first match begins; absent for a line around one. */
  readonly start?: number;
}

/** What ripgrep says about one file. */
export interface FileHint {
  /** With `/` between names and nothing in front. */
  readonly path: string;
  readonly lines: readonly HintLine[];
}

/** The output of `rg --json`, file by file. Names that are not UTF-8 are left out: nobody could ask for them. */
export async function* ripgrepHints(stdout: Readable): AsyncGenerator<FileHint> {
  let lines: HintLine[] = [];
  for await (const text of textLines(stdout)) {
    const event = JSON.parse(text) as RipgrepEvent;
    if (event.type === 'begin') lines = [];
    else if (event.type === 'match' || event.type === 'context') lines.push(toHint(event.data));
    else if (event.type === 'end') {
      const { path } = event.data;
      if ('text' in path) yield { path: plainPath(path.text), lines };
    }
  }
}

type RipgrepText = { readonly text: string } | { readonly bytes: string };

interface RipgrepLine {
  readonly lines: RipgrepText;
  readonly line_number: number;
  readonly absolute_offset: number;
  readonly submatches: readonly { readonly start: number }[];
}

type RipgrepEvent =
  | { readonly type: 'begin' | 'end'; readonly data: { readonly path: RipgrepText } }
  | { readonly type: 'match' | 'context'; readonly data: RipgrepLine }
  | { readonly type: 'summary' };

function toHint({ lines, line_number: line, absolute_offset: offset, submatches }: RipgrepLine): HintLine {
  const bytes = 'text' in lines ? Buffer.from(lines.text) : Buffer.from(lines.bytes, 'base64');
  const start = submatches[0]?.start;
  return { line, bytes, offset, ...(start === undefined ? {} : { start }) };
}

function plainPath(path: string): string {
  return path.replaceAll('\\', process.platform === 'win32' ? '/' : '\\').replace(/^\.\//, '');
}

async function* textLines(stream: Readable): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield rest.length === 0
        ? chunk.toString('utf8', start, end)
        : Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}
