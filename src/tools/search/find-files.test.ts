import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findFiles } from './find-files.ts';

const entries = [
  'app/.gitignore = dist\n',
  'app/a.ts',
  'app/dist/a.js',
  'app/src/b.ts',
  'app/src/[x]/c.ts',
  'app/src/[x]/dist/d.ts',
  'app/docs.ts/e.md',
  'more/f.ts',
];

async function find(input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app'), tree.at('more')]);
  const path = typeof input['path'] === 'string' ? { path: input['path'].replace('$', tree.path) } : {};
  const { structuredContent } = await call.run(findFiles, { ...input, ...path });
  const text = JSON.stringify(structuredContent).replaceAll(tree.path, '$');
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

test('finds a name at any depth, except in pruned directories', async () => {
  expect(await find({ globs: ['*.ts'] })).toEqual({
    paths: ['a.ts', 'src/[x]/c.ts', 'src/b.ts'],
    total: 3,
    complete: true,
  });
});

test('matches a path from the start directory', async () => {
  expect(await find({ globs: ['src/*.ts'] })).toMatchObject({ paths: ['src/b.ts'] });
  expect(await find({ globs: ['src/*.ts'], path: 'src' })).toMatchObject({ paths: [] });
  expect(await find({ globs: ['/*.ts'], path: 'src' })).toMatchObject({ paths: ['src/b.ts'] });
});

test('applies ignore rules of parent directories', async () => {
  expect(await find({ globs: ['*'], path: 'src/[x]' })).toMatchObject({ paths: ['src/[x]/c.ts'] });
  const all = { globs: ['*'], path: 'src/[x]', gitignore: false };
  expect(await find(all)).toMatchObject({ paths: ['src/[x]/c.ts', 'src/[x]/dist/d.ts'] });
});

test('excludes by name or by path', async () => {
  expect(await find({ globs: ['*.ts'], exclude: ['src'] })).toMatchObject({ paths: ['a.ts'] });
  expect(await find({ globs: ['*.ts'], path: 'src', exclude: ['/[[]x]'] })).toMatchObject({
    paths: ['src/b.ts'],
  });
});

test('finds files, directories or both', async () => {
  expect(await find({ globs: ['*.ts'], kind: 'directory' })).toMatchObject({ paths: ['docs.ts'] });
  expect(await find({ globs: ['docs.ts', 'a.ts'], kind: 'any' })).toMatchObject({
    paths: ['a.ts', 'docs.ts'],
  });
});

test('pages results in a stable order', async () => {
  const input = { globs: ['*.ts'], limit: 2 };
  expect(await find(input)).toMatchObject({ paths: ['a.ts', 'src/[x]/c.ts'], total: 3, next: 2 });
  expect(await find({ ...input, offset: 2 })).toEqual({ paths: ['src/b.ts'], total: 3, complete: true });
});

test('shows paths outside of the project as absolute', async () => {
  expect(await find({ globs: ['*'], path: '$/more' })).toMatchObject({ paths: ['$/more/f.ts'] });
});

test('words', async () => {
  using tree = tempTree(entries);
  await using call = await openToolCall([tree.at('app')]);
  const { content } = await call.run(findFiles, { globs: ['*.ts'], limit: 1 });
  expect(content).toEqual([
    { type: 'text', text: 'a.ts\n[3 in all. To see more, call again with offset 1.]' },
  ]);
  expect((await call.run(findFiles, { globs: ['*.zig'] })).content).toEqual([
    { type: 'text', text: 'Nothing found' },
  ]);
});

test('refuses a directory outside, and stops when cancelled', async () => {
  using tree = tempTree([...entries, 'app/leaving => ../more']);
  await using call = await openToolCall([tree.at('app')]);
  const leaving = call.run(findFiles, { globs: ['*'], path: 'leaving' });
  await expect(leaving).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await using cancelled = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(cancelled.run(findFiles, { globs: ['*'] })).rejects.toThrow('aborted');
});
