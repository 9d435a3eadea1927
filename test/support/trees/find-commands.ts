import { openBoundary } from '../../../src/boundary/open-boundary.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import type { BuildSystem } from '../../../src/workspace/ecosystems/build-system.ts';
import { readOnce } from '../../../src/workspace/ecosystems/read-manifest.ts';

/** What a build system finds in a directory with these files, as `task: command`. */
export async function findCommands(
  system: BuildSystem,
  files: Readonly<Record<string, string>>,
  above: readonly string[] = [],
): Promise<readonly string[]> {
  using tree = tempTree(Object.entries(files).map(([name, text]) => `${name} = ${text}`));
  await using boundary = await openBoundary(tree.path);
  const names = Object.keys(files).filter((name) => !name.includes('/'));
  const commands = await system.find({ names, above: [above], read: readOnce(boundary) });
  return commands.map(({ task, command }) => `${task}: ${command}`);
}
