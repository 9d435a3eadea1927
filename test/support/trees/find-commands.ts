import { openBoundary } from '../../../src/boundary/open-boundary.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { readOnce } from '../../../src/workspace/ecosystems/manifest/read-manifest.ts';
import type { Ecosystem } from '../../../src/workspace/ecosystems/record/ecosystem.ts';

/** The commands that an ecosystem finds in a directory with these files, as `task: command`. */
export async function findCommands(
  { build }: Ecosystem,
  files: Readonly<Record<string, string>>,
  above: readonly string[] = [],
): Promise<readonly string[]> {
  using tree = tempTree(Object.entries(files).map(([name, text]) => `${name} = ${text}`));
  await using boundary = await openBoundary(tree.path);
  const list = async (directory: string): Promise<readonly string[]> =>
    Object.keys(files)
      .filter((name) => name.startsWith(`${directory}/`))
      .map((name) => name.slice(directory.length + 1).split('/', 1)[0] ?? '');
  const names = Object.keys(files).filter((name) => !name.includes('/'));
  const commands = await build?.find({ names, above: [above], read: readOnce(boundary), list });
  return (commands ?? []).map(({ task, command }) => `${task}: ${command}`);
}
