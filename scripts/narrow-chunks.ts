import type { Plugin } from 'vite';

/**
 * Writes what is beyond Latin-1 as escapes. V8 keeps a text with one byte per character or with two, and a single
 * `…` doubles a whole chunk in memory. Inside and outside of strings an escape means the same.
 */
export function narrowChunks(): Plugin {
  return {
    name: 'narrow-chunks',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !wide.test(chunk.code)) continue;
        const { code, map } = chunk;
        if (map !== null) map.mappings = moveMappings(map.mappings, code.split('\n').map(wideColumns));
        chunk.code = code.replaceAll(everyWide, escape);
      }
    },
  };
}

const wide = /[\u0100-\uFFFF]/;
const everyWide = new RegExp(wide, 'g');

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** An escape is so much longer than what it stands for. */
const longer = escape('…').length - 1;

function wideColumns(line: string): readonly number[] {
  return Array.from(line.matchAll(everyWide), ({ index }) => index);
}

/**
 * The mappings of a source map after columns became wider. Of each segment the first number is its column, counted
 * from the segment before it; the others stay.
 */
export function moveMappings(mappings: string, wideColumnsOf: readonly (readonly number[])[]): string {
  const moveLine = (line: string, row: number): string => {
    const columns = wideColumnsOf[row] ?? [];
    if (columns.length === 0) return line;
    let before = 0;
    let column = 0;
    return line
      .split(',')
      .map((segment) => {
        const { value, rest } = readNumber(segment);
        column += value;
        const moved = column + longer * columns.filter((wideColumn) => wideColumn < column).length;
        const text = writeNumber(moved - before) + rest;
        before = moved;
        return text;
      })
      .join(',');
  };
  return mappings.split(';').map(moveLine).join(';');
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Five bits per digit, the lowest first; the sixth says that there are more. Columns only go forward. */
function readNumber(segment: string): { readonly value: number; readonly rest: string } {
  let value = 0;
  let length = 0;
  for (let more = true; more; length += 1) {
    const digit = digits.indexOf(segment.charAt(length));
    value += (digit & 31) * 32 ** length;
    more = digit >= 32;
  }
  return { value: Math.floor(value / 2), rest: segment.slice(length) };
}

function writeNumber(number: number): string {
  let text = '';
  let rest = number * 2;
  do {
    const low = rest % 32;
    rest = Math.floor(rest / 32);
    text += digits.charAt(rest > 0 ? low + 32 : low);
  } while (rest > 0);
  return text;
}
