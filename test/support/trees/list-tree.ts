import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything in a tree, sorted and in the notation of `tempTree`: `d/`, `a.txt = content`, `link => target`,
 * `pipe|`. Unlike a recursive `readdirSync` it follows no link.
 */
export function listTree(top: string, prefix = ''): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(top, { withFileTypes: true })) {
    const name = prefix + entry.name;
    const path = join(top, entry.name);
    if (entry.isDirectory()) found.push(`${name}/`, ...listTree(path, `${name}/`));
    else if (entry.isSymbolicLink()) found.push(`${name} => ${readlinkSync(path)}`);
    else found.push(entry.isFile() ? `${name} = ${readFileSync(path, 'utf8')}` : `${name}|`);
  }
  return found.toSorted();
}
