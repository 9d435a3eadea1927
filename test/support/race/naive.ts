import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';

/** What many servers do: check the real path, then use the text. Right, as long as nothing moves. */
export function readNaively(root: string, path: string): string {
  requireInside(root, realpathSync(path));
  return readFileSync(path, 'utf8');
}

export function createNaively(root: string, path: string): void {
  requireInside(root, `${realpathSync(dirname(path))}/${basename(path)}`);
  writeFileSync(path, 'inside', { flag: 'wx' });
}

function requireInside(root: string, path: string): void {
  if (!path.startsWith(root + sep)) throw new Error('outside');
}
