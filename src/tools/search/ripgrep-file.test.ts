import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { ripgrepFile } from './ripgrep-file.ts';

test('looks at the bytes that it is given', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const query = {
    pattern: 'b',
    literal: false,
    ignoreCase: false,
    wholeWord: false,
    context: 1,
    globs: ['*.never'],
    exclude: ['*'],
    gitignore: true,
    perFile: 10,
  };
  const options = { file: (await findRipgrep(process.env)) ?? '', signal: new AbortController().signal };
  expect(await ripgrepFile(boundary, Buffer.from('a\nxb\nc\nd\n'), query, options)).toEqual([
    { line: 1, text: 'a' },
    { line: 2, text: 'xb', at: 1 },
    { line: 3, text: 'c' },
  ]);
});
