import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { startAt } from '../tool/search-start.ts';
import { gatherDocs } from './doc-gather.ts';
import type { DocText } from './doc-score.ts';

async function gather(entries: readonly string[], path = '.'): Promise<readonly string[]> {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.path], {
    policy: { preset: 'read-only', deny: ['secret.md'] },
  });
  const options = {
    keep: ({ path: found }: DocText) => found,
    deadline: Infinity,
    signal: call.signal,
    tick: () => undefined,
  };
  return await call.access({ operation: 'read', path }, async (location) => {
    const { docs, complete } = await gatherDocs(await startAt(location), options);
    expect(complete).toBe(true);
    return docs;
  });
}

const entries = [
  '.gitignore = out\n',
  'README.md',
  'docs/a.md',
  'docs/secret.md',
  'docs/binary.md = a\0b',
  'out/b.md',
  'node_modules/x/README.md',
  'src/a.ts',
  'link.md => README.md',
];

test('reads documents, except ignored, vendored, denied or binary ones', async () => {
  expect(await gather(entries)).toEqual(['README.md', 'docs/a.md']);
  expect(await gather(entries, 'docs')).toEqual(['docs/a.md']);
});
