import { createTwoFilesPatch } from 'diff';

/** What changed in a file, as a fenced block that no line in it can end. */
export function diffText(path: string, before: string, after: string): string {
  const patch = createPatch(path, before, after);
  const longest = Math.max(2, ...(patch.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${patch}${fence}\n\n`;
}

/** Two texts that have little in common take long to compare, and nobody reads the result. */
const patience = 2_000;

function createPatch(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(path, path, before, after, 'original', 'modified', {
    timeout: patience,
  });
  return patch ?? `--- ${path}\toriginal\n+++ ${path}\tmodified\n(too different to show line by line)\n`;
}
