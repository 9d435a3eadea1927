import { findImports, type ImportReference } from './find-imports.ts';
import { levelOf, roomOf } from './rooms.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'imports-point-one-way';

/** A room imports only rooms below it, and every room has its place in the order. */
export function importsPointOneWay(tree: SourceTree): Violation[] {
  return [...unplacedRooms(tree), ...findImports(tree).flatMap(judge)];
}

function unplacedRooms(tree: SourceTree): Violation[] {
  const rooms = new Map<string, string>();
  for (const [file] of sourceFiles(tree)) rooms.set(roomOf(file) ?? file, file);
  return [...rooms]
    .filter(([room]) => levelOf(room) === -1)
    .map(([room, file]) => ({ file, rule, message: `the room "${room}" has no place in the order` }));
}

function judge({ file, line, target }: ImportReference): Violation[] {
  const from = roomOf(file);
  const to = target === undefined ? undefined : roomOf(target);
  if (from === undefined || to === undefined || mayImport(from, to)) return [];
  if (to === 'testing' && isTest(file)) return [];
  return [{ file, rule, message: `line ${line}: "${from}" may not import "${to}" (${target})` }];
}

/** Rooms without a place are reported once, not once for each import. */
function mayImport(from: string, to: string): boolean {
  const isPlaced = levelOf(from) !== -1 && levelOf(to) !== -1;
  return from === to || !isPlaced || levelOf(to) < levelOf(from);
}
