import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { listAllowedDirectories } from './list-allowed-directories.ts';

test('lists every root', async () => {
  using tree = tempTree(['app/', 'docs/']);
  await using call = await openToolCall([tree.at('app'), tree.at('docs')]);
  const { structuredContent } = await call.run(listAllowedDirectories);
  expect(structuredContent).toEqual({
    content: `Allowed directories:\n${tree.at('app')}\n${tree.at('docs')}`,
  });
});
