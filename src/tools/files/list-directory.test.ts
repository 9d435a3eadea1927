import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findFiles } from '../search/find-files.ts';
import { searchFiles } from '../search/search-files.ts';
import { fitsMessage } from '../tool/answer.ts';
import { labelOf, listDirectory, listDirectoryWithSizes, listingCut } from './list-directory.ts';
import { readTextFile } from './read-text-file.ts';

test('distinguishes directories from everything else', async () => {
  using tree = tempTree(['app/b/', 'app/a.txt', 'app/pipe|', 'app/leaving => ../out', 'app/名.txt']);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(listDirectory, { path: '.' });
  expect(structuredContent).toEqual({
    content: '[FILE] a.txt\n[DIR] b\n[FILE] leaving\n[FILE] pipe\n[FILE] 名.txt',
  });
});

test('omits denied entries', async () => {
  using tree = tempTree(['app/.env', 'app/a.txt']);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  expect((await call.run(listDirectory, { path: '.' })).structuredContent).toEqual({
    content: '[FILE] a.txt',
  });
});

test('refuses files, pipes and links that leave', async () => {
  using tree = tempTree(['app/a.txt', 'app/pipe|', 'app/leaving => ../out', 'out/']);
  await using call = await openToolCall([tree.at('app')]);
  await expect(call.run(listDirectory, { path: 'a.txt' })).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(call.run(listDirectory, { path: 'pipe' })).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(call.run(listDirectory, { path: 'leaving' })).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
});

test('words', () => {
  expect(labelOf('directory')).toBe('[DIR]');
  expect(labelOf('link')).toBe('[FILE]');
  expect(listingCut(3)).toContain('after 3 entries');
});

test('a name cannot look like two, and can be used as shown', async () => {
  const name = 'a\n[DIR] etc';
  using tree = tempTree(['app/b.txt']);
  writeFileSync(tree.at('app', name), 'one file');
  await using call = await openToolCall([tree.at('app')]);
  const shown = toFileUri(tree.at('app', name));
  for (const tool of [listDirectory, listDirectoryWithSizes]) {
    const { structuredContent } = await call.run(tool, { path: '.' });
    const [first, second] = String(structuredContent['content']).split('\n');
    expect([first, second].map((line) => line?.split(/\s+/)[1] ?? '').toSorted()).toEqual(['b.txt', shown]);
    expect(first?.startsWith('[FILE]') && second?.startsWith('[FILE]')).toBe(true);
  }
  const found = await call.run(searchFiles, { path: '.', pattern: '*' });
  expect(String(found.structuredContent['content']).split('\n').toSorted()).toEqual([
    tree.at('app/b.txt'),
    shown,
  ]);
  const { structuredContent } = await call.run(findFiles, { globs: ['a*'] });
  expect(structuredContent['paths']).toEqual([shown]);
  expect((await call.run(readTextFile, { path: shown })).structuredContent['content']).toBe('one file');
});

test('cuts a directory with long names to one message, and says so', async () => {
  using tree = tempTree(['app/']);
  const name = '\u0001'.repeat(240);
  for (let file = 0; file < 6_000; file += 1) writeFileSync(tree.at(`app/${file}${name}`), '');
  await using call = await openToolCall([tree.at('app')]);
  const calls = [
    [listDirectory, { path: '.' }],
    [listDirectoryWithSizes, { path: '.' }],
    [searchFiles, { path: '.', pattern: '*' }],
  ] as const;
  for (const [tool, input] of calls) {
    const result = await call.run(tool, input);
    expect(fitsMessage(result)).toBe(true);
    expect(result.structuredContent['more']).toMatch(/^\[Cut after \d+ /);
  }
  const found = await call.run(findFiles, { globs: ['*'], limit: 10_000 });
  expect(fitsMessage(found)).toBe(true);
  const { paths, total, next } = found.structuredContent as { paths: string[]; total: number; next: number };
  expect({ total, next }).toEqual({ total: 6_000, next: paths.length });
  const rest = await call.run(findFiles, { globs: ['*'], limit: 10_000, offset: next });
  expect((rest.structuredContent['paths'] as string[])[0]).not.toBe(paths.at(-1));
}, 60_000);

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

test('lists sizes by name, with a total', async () => {
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

test('sorts by size', async () => {
  const [first, second, ...others] = await list({ sortBy: 'size' });
  expect([first, second]).toEqual(['[DIR] dir ', '[FILE] large 2.00 KB']);
  expect(others[0]).toBe('[FILE] small 1 B');
});

test('stops when it is cancelled', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(call.run(listDirectoryWithSizes, { path: '.' })).rejects.toThrow('aborted');
});
