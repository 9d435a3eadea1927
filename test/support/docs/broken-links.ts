import { posix } from 'node:path';
import type { SourceTree, Violation } from '../../architecture/source-tree.ts';
import { anchorsOf } from './anchors.ts';
import { type Link, linksOf } from './links.ts';

const rule = 'links-resolve';

/** Links within the repository that lead to no file, no folder or no heading. */
export function brokenLinks(tree: SourceTree): Violation[] {
  return [...tree]
    .filter(([file]) => file.endsWith('.md'))
    .flatMap(([file, text]) => linksOf(text).flatMap((link) => judge(tree, file, link)));
}

function judge(tree: SourceTree, file: string, { target, line }: Link): Violation[] {
  if (isElsewhere(target)) return [];
  const [path = '', anchor] = decodeURI(target).split('#');
  const found = path === '' ? file : placeOf(file, path);
  const state = fault(tree, found, anchor);
  return state === undefined ? [] : [{ file, rule, message: `line ${line}: "${target}" leads to ${state}` }];
}

function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
}

/** As on GitHub: a leading `/` means the top of the repository. */
function placeOf(file: string, path: string): string {
  const from = path.startsWith('/') ? '.' : posix.dirname(file);
  return posix.join(from, path).replace(/\/$/, '');
}

function fault(tree: SourceTree, path: string, anchor: string | undefined): string | undefined {
  const text = tree.get(path);
  if (text === undefined) return isFolder(tree, path) ? undefined : 'no file';
  if (anchor === undefined || anchorExists(path, text, anchor)) return undefined;
  return 'no heading';
}

function isFolder(tree: SourceTree, path: string): boolean {
  return path === '.' || [...tree.keys()].some((file) => file.startsWith(`${path}/`));
}

/** `#L10` and `#L10-L20` are lines of code. */
function anchorExists(path: string, text: string, anchor: string): boolean {
  if (path.endsWith('.md')) return anchorsOf(text).has(anchor);
  const [, line] = /^L(\d+)(?:-L\d+)?$/.exec(anchor) ?? [];
  return line !== undefined && Number(line) <= text.split('\n').length;
}
