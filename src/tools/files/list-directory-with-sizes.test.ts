import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { listDirectoryWithSizes } from './list-directory-with-sizes.ts';

const entries = [
  'app/small = 1',
  `app/large = ${'x'.repeat(2048)}`,
  'app/dir/',
  'app/leaving => ../secret',
  'secret',
];

async function list(input: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(listDirectoryWithSizes, { path: '.', ...input });
  return String(structuredContent['content']).replaceAll(/ +/g, ' ').split('\n');
}

test('sizes by name, with a sum', async () => {
  expect(await list({})).toEqual([
    '[DIR] dir ',
    '[FILE] large 2.00 KB',
    '[FILE] leaving 0 B',
    '[FILE] small 1 B',
    '',
    'Total: 3 files, 1 directories',
    'Combined size: 2.00 KB',
  ]);
});

test('the largest first', async () => {
  const [first, second, ...others] = await list({ sortBy: 'size' });
  expect([first, second]).toEqual(['[DIR] dir ', '[FILE] large 2.00 KB']);
  expect(others[0]).toBe('[FILE] small 1 B');
});

test('stops when it is cancelled', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(call.run(listDirectoryWithSizes, { path: '.' })).rejects.toThrow('aborted');
});
