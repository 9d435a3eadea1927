import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceTree } from './source-tree.ts';

/** What git does not keep, as in `.gitignore`, and git itself. */
const skipped: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'dist',
  '.build',
  '.nodes',
  'coverage',
]);

export const repository: string = fileURLToPath(new URL('../..', import.meta.url));

/** Every file of the repository with its text. Links are not followed. */
export function readTree(top: string = repository): SourceTree {
  return new Map(listFiles(top, '').map((file) => [file, readFileSync(join(top, file), 'utf8')]));
}

function listFiles(top: string, folder: string): string[] {
  return readdirSync(join(top, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .flatMap((entry) => listEntry(top, folder, entry));
}

function listEntry(top: string, folder: string, entry: Dirent): string[] {
  const path = posix.join(folder, entry.name);
  if (entry.isDirectory()) return listFiles(top, path);
  return entry.isFile() ? [path] : [];
}
