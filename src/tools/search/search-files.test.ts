import { expect, test } from 'vitest';
import { compileGlobs } from '../../path/glob.ts';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { collect, referenceGlob, referenceTreeExclusion, searchFiles } from './search-files.ts';

const entries = [
  'app/a.ts',
  'app/src/b.ts',
  'app/src/deep/c.ts',
  'app/.env',
  'app/leaving => ../out',
  'out/d.ts',
];

async function search(input: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  const { structuredContent } = await call.run(searchFiles, { path: '.', ...input });
  return String(structuredContent['content']).replaceAll(`${tree.path}/`, '').split('\n');
}

test('finds by a glob relative to the path, with absolute results', async () => {
  expect(await search({ pattern: '**/*.ts' })).toEqual(['app/a.ts', 'app/src/b.ts', 'app/src/deep/c.ts']);
  expect(await search({ pattern: '*.ts' })).toEqual(['app/a.ts']);
  expect(await search({ path: 'src', pattern: '*.ts' })).toEqual(['app/src/b.ts']);
});

test('omits excluded paths, and never follows a link', async () => {
  expect(await search({ pattern: '**/*.ts', excludePatterns: ['src/deep'] })).toEqual([
    'app/a.ts',
    'app/src/b.ts',
  ]);
  expect(await search({ pattern: '**/d.ts' })).toEqual(['No matches found']);
});

test('does not find denied files', async () => {
  expect(await search({ pattern: '.*' })).toEqual(['No matches found']);
});

test('refuses invalid globs', async () => {
  await expect(search({ pattern: '[' })).rejects.toMatchObject({ code: 'INVALID_GLOB' });
  await expect(search({ pattern: '*', excludePatterns: ['!a'] })).rejects.toMatchObject({
    code: 'INVALID_GLOB',
  });
});

test('stops when it is cancelled', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(call.run(searchFiles, { path: '.', pattern: '**' })).rejects.toThrow('aborted');
});

test('reports progress', async () => {
  async function* batches(): AsyncGenerator<readonly number[]> {
    yield [1, 2, 3];
    yield [4, 5];
  }
  const ticks: string[] = [];
  const even = await collect(
    batches(),
    (_done, message) => void ticks.push(message),
    (number) => (number % 2 === 0 ? number : undefined),
  );
  expect(even).toEqual([2, 4]);
  expect(ticks).toEqual(['3 entries looked at, 1 found', '5 entries looked at, 2 found']);
});

const matches = (pattern: string, path: string): boolean =>
  compileGlobs([referenceGlob(pattern)]).match(path) !== undefined;

test('a name without a slash matches at the top', () => {
  expect(matches('*.ts', 'a.ts')).toBe(true);
  expect(matches('*.ts', 'src/a.ts')).toBe(false);
  expect(matches('**/*.ts', 'src/a.ts')).toBe(true);
});

test('the content of a directory is not the directory', () => {
  expect(matches('src/**', 'src')).toBe(false);
  expect(matches('src/**', 'src/.a/b')).toBe(true);
  expect(matches('**', 'src')).toBe(true);
});

test('excludes a plain name at any depth of a tree', () => {
  const left = compileGlobs(referenceTreeExclusion('node_modules'));
  expect(left.match('node_modules')).toBeDefined();
  expect(left.match('a/b/node_modules')).toBeDefined();
  expect(left.match('a/node_modules_old')).toBeUndefined();
});

test.each(['', '!a', '!(a)'])('refuses "%s" with its own message', (pattern) => {
  expect(() => compileGlobs([referenceGlob(pattern)])).toThrow(`Cannot use "${pattern}" as a glob`);
});
