import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findDocs } from './find-docs.ts';

const entries = [
  'app/README.md = # App\n\n## Install\nnpm install\n',
  'app/docs/testing.md = # Testing\nRun the tests with npm test.\n',
  'app/CHANGELOG.md = # Changes\n',
  'notes/ideas.rst = Ideas\n=====\ntests\n',
];

test('without a query lists what people read first', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app'), tree.at('notes')]);
  const { structuredContent } = await call.run(findDocs);
  expect(structuredContent).toMatchObject({
    total: 4,
    complete: true,
    docs: [
      {
        path: 'README.md',
        kind: 'readme',
        title: 'App',
        outline: [{ line: 1 }, { level: 2, text: 'Install', line: 3 }],
      },
      { path: 'docs/testing.md' },
      { path: 'CHANGELOG.md' },
      { path: tree.at('notes/ideas.rst'), title: 'Ideas' },
    ],
  });
});

test('with a query lists matching documents, with reasons', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app'), tree.at('notes')]);
  const { structuredContent, content } = await call.run(findDocs, { query: 'tests', headings: 0 });
  expect(structuredContent).toMatchObject({
    total: 2,
    docs: [
      { path: 'docs/testing.md', snippets: [{ line: 2, text: 'Run the tests with npm test.' }], outline: [] },
      { path: tree.at('notes/ideas.rst') },
    ],
  });
  expect(content).toMatchObject([
    {
      text: expect.stringContaining(
        'docs/testing.md: Testing (3 points: text 1×1 + guide 2)\n  > 2: Run the tests',
      ),
    },
  ]);
});

test('can be paged, and limited to a directory', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app'), tree.at('notes')]);
  const { structuredContent, content } = await call.run(findDocs, { limit: 1, offset: 1 });
  expect(structuredContent).toMatchObject({ docs: [{ path: 'docs/testing.md' }], total: 4, next: 2 });
  expect(content).toMatchObject([
    { text: expect.stringContaining('[4 in all. To see more, call again with offset 2.]') },
  ]);
  const part = await call.run(findDocs, { path: 'docs' });
  expect(part.structuredContent).toMatchObject({ total: 1 });
  const nothing = await call.run(findDocs, { query: 'zebra' });
  expect(nothing.content).toMatchObject([{ text: 'Nothing found' }]);
});

test('respects roots and rules', async () => {
  using tree = tempTree([...entries, 'app/leaving => ../notes']);
  const policy = { preset: 'read-only', deny: ['/docs'] } as const;
  await using call = await openToolCall([tree.at('app')], { policy });
  expect((await call.run(findDocs, { query: 'tests' })).structuredContent).toMatchObject({ docs: [] });
  await expect(call.run(findDocs, { path: 'docs' })).rejects.toMatchObject({ code: 'DENIED' });
  await expect(call.run(findDocs, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await using cancelled = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(cancelled.run(findDocs)).rejects.toThrow('aborted');
});
