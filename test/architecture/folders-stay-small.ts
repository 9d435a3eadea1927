import { posix } from 'node:path';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'folders-stay-small';
const most = 15;
/** A sub-room with fewer sources than this is a detour. */
const fewest = 3;

/** A folder holds as many sources as a reader takes in at a glance; its tests do not count. */
export function foldersStaySmall(tree: SourceTree): Violation[] {
  const counts = new Map<string, number>();
  for (const [file] of sourceFiles(tree)) {
    const folder = posix.dirname(file);
    if (!isTest(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) => {
    if (count > most) return [violation(folder, `${count} sources, at most ${most}`)];
    if (isSubRoom(folder) && count < fewest)
      return [violation(folder, `${count} sources, at least ${fewest}`)];
    return [];
  });
}

function isSubRoom(folder: string): boolean {
  return folder.split('/').length > 2;
}

function violation(file: string, message: string): Violation {
  return { file, rule, message };
}
