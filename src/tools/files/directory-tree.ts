import { z } from 'zod';
import { escapeJson } from '../../base/quote.ts';
import type { WalkEntry } from '../../boundary/read/walk.ts';
import { referenceTreeExclusion, walking } from '../search/search-files.ts';
import { globList, limits, pathText } from '../tool/answer-limits.ts';
import { bytesInMessage, textOutput, textResult } from '../tool/answer.ts';
import { compare } from '../tool/shown-path.ts';
import { startAt } from '../tool/search-start.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const directoryTree: Tool = defineTool({
  name: 'directory_tree',
  title: 'Directory tree',
  description:
    'Shows a directory and everything beneath it as JSON: name, type (file or directory), and for ' +
    'directories their children. Leave out what you do not need with excludePatterns, such as node_modules.',
  operations: ['list'],
  effect: 'read',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    excludePatterns: globList.optional().default([]).describe('Globs, from the path on'),
  }),
  output: textOutput,
  run: ({ path, excludePatterns }, call) =>
    call.reach({ operation: 'list', path }, async (location) => {
      const start = await startAt(location);
      const ignore = excludePatterns.flatMap(referenceTreeExclusion).map(start.under);
      const walk = start.boundary.walk(start.relative, {
        ...walking,
        entries: limits.tree,
        ignore,
        signal: call.signal,
      });
      const tick = createTicker(call);
      const room = Math.min(limits.answer, call.room);
      const tree = createTree(room);
      let fits = true;
      for await (const batch of walk.batches()) {
        fits = batch.every((entry) => tree.add(start.below(entry.path) ?? entry.path, entry.kind));
        if (!fits) break;
        tick(tree.size(), `${tree.size()} entries`);
      }
      return textResult(tree.text(), cutOf(fits ? walk.stopped : 'bytes'));
    }),
});

function cutOf(stopped: string | undefined): string | undefined {
  if (stopped === undefined) return undefined;
  return (
    `[Cut: the tree ${stopped === 'time' ? 'takes too long' : `is too ${stopped === 'depth' ? 'deep' : 'large'}`}. ` +
    'Ask for a directory in it, or leave something out with excludePatterns.]'
  );
}

interface TreeNode {
  readonly name: string;
  readonly type: 'file' | 'directory';
  readonly children?: TreeNode[];
}

interface Tree {
  /** Adds an entry. Returns false, and omits it, if the result would be too large. */
  add(path: string, kind: WalkEntry['kind']): boolean;
  size(): number;
  /** As JSON, sorted, each directory with its children. Indented if that fits, without whitespace otherwise. */
  text(): string;
}

/** Builds a tree from a walk, which yields a directory before its content. */
function createTree(room: number): Tree {
  const top: TreeNode[] = [];
  const directories = new Map([['', top]]);
  // Entries of one directory come together.
  let last = { path: '', children: top };
  const childrenOf = (path: string): TreeNode[] => {
    if (last.path !== path) last = { path, children: directories.get(path) ?? [] };
    return last.children;
  };
  let count = 0;
  let bytes = 0;
  let indents = 0;
  return {
    add(path, kind) {
      const slash = path.lastIndexOf('/');
      const name = path.slice(slash + 1);
      bytes += bytesOf(name);
      if (bytes > room) return false;
      indents += indentsOf(path, kind);
      const children = kind === 'directory' ? [] : undefined;
      if (children !== undefined) directories.set(path, children);
      const node: TreeNode =
        children === undefined ? { name, type: 'file' } : { name, type: 'directory', children };
      childrenOf(path.slice(0, Math.max(0, slash))).push(node);
      count += 1;
      return true;
    },
    size: () => count,
    text() {
      for (const children of directories.values())
        children.sort((one, other) => compare(one.name, other.name));
      return escapeJson(JSON.stringify(top, undefined, bytes + indents <= room ? 2 : 0));
    },
  };
}

/**
 * Maximum size of an entry without its name: `{"name":"","type":"directory","children":[]},` with every quote escaped.
 */
const aroundName = 62;

/**
 * White space around an entry, in a message. It is counted beforehand, because a deep tree has many times more of it
 * than of names.
 */
function indentsOf(path: string, kind: WalkEntry['kind']): number {
  const depth = path.split('/').length;
  return kind === 'directory' ? 11 + 24 * depth : 6 + 16 * depth;
}

/** Plain names are as long as they are; others are measured, escaped twice as they will be. */
function bytesOf(name: string): number {
  return (
    aroundName + (/^[\w .@-]*$/.test(name) ? name.length : bytesInMessage(escapeJson(JSON.stringify(name))))
  );
}
