import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEntry } from '../../../src/audit/entry.ts';

/** The paths of all entries; a line that holds no entry stands for itself. */
export function pathsOf(directory: string): readonly string[] {
  return linesOf(directory).map((line) => parseEntry(line)?.path ?? line);
}

/** Every line of every file in a directory, with plain `node:fs`: what a stranger would find. */
function linesOf(directory: string): readonly string[] {
  return readdirSync(directory).flatMap((name) => {
    const text = readFileSync(join(directory, name), 'utf8');
    return text === '' ? [] : text.replace(/\n$/, '').split('\n');
  });
}
