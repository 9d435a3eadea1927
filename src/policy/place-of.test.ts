import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { placeOf } from './place-of.ts';

test('rules see the name of the root and slashes', async () => {
  using tree = tempTree(['app/']);
  await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots);
  const location = workspace.locate(join('src', 'a.ts'));
  expect(location && placeOf(location)).toEqual({ root: 'app', relative: 'src/a.ts' });
});
