import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { fitsMessage } from '../tool/answer.ts';
import { directoryTree } from './directory-tree.ts';

async function show(
  entries: readonly string[],
  input: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  using tree = tempTree(['app/', ...entries]);
  await using call = await openToolCall([tree.at('app')], { policy: { preset: 'read-only' } });
  const { structuredContent } = await call.run(directoryTree, { path: '.', ...input });
  return JSON.parse(String(structuredContent['content']));
}

test('only directories have children, sorted', async () => {
  expect(await show(['app/b/c/', 'app/b/a.txt', 'app/a.txt', 'app/link => b'])).toEqual([
    { name: 'a.txt', type: 'file' },
    {
      name: 'b',
      type: 'directory',
      children: [
        { name: 'a.txt', type: 'file' },
        { name: 'c', type: 'directory', children: [] },
      ],
    },
    { name: 'link', type: 'file' },
  ]);
});

test('omits excluded paths, relative to the start, and denied ones', async () => {
  const entries = ['app/s(r)c/x/node_modules/', 'app/s(r)c/x/a.ts', 'app/s(r)c/b.ts', 'app/s(r)c/.env'];
  const input = { path: 's(r)c', excludePatterns: ['node_modules', '*.ts'] };
  expect(await show(entries, input)).toEqual([
    { name: 'x', type: 'directory', children: [{ name: 'a.ts', type: 'file' }] },
  ]);
});

test('stops when it is cancelled', async () => {
  using tree = tempTree(['app/a']);
  await using call = await openToolCall([tree.at('app')], { signal: AbortSignal.abort() });
  await expect(call.run(directoryTree, { path: '.' })).rejects.toThrow('aborted');
});

test('marks a tree that is cut because it is too deep', async () => {
  using tree = tempTree([`app/${'d/'.repeat(140)}`]);
  await using call = await openToolCall([tree.at('app')]);
  const { structuredContent } = await call.run(directoryTree, { path: '.' });
  expect(structuredContent['more']).toContain('too deep');
  expect(() => JSON.parse(String(structuredContent['content'])) as unknown).not.toThrow();
});

test('cuts a large tree to one message, and marks it', async () => {
  using tree = tempTree(['app/']);
  const name = '"'.repeat(200);
  for (let directory = 0; directory < 20; directory += 1) {
    mkdirSync(tree.at(`app/${directory}`));
    for (let file = 0; file < 300; file += 1) writeFileSync(tree.at(`app/${directory}/${name}${file}`), '');
  }
  await using call = await openToolCall([tree.at('app')]);
  const result = await call.run(directoryTree, { path: '.' });
  expect(fitsMessage(result)).toBe(true);
  expect(result.structuredContent['more']).toContain('too large');
  const nodes = JSON.parse(String(result.structuredContent['content'])) as readonly { children: unknown[] }[];
  expect(nodes.flatMap(({ children }) => children).length).toBeGreaterThan(3_000);
});

test('omits whitespace if only that makes the tree fit', async () => {
  // Deeply nested, where most of a line is indentation.
  const deep = `app/${'d/'.repeat(40)}`;
  using tree = tempTree([deep]);
  for (let file = 0; file < 8_000; file += 1) writeFileSync(tree.at(deep, `${file}.txt`), '');
  await using call = await openToolCall([tree.at('app')]);
  const result = await call.run(directoryTree, { path: '.' });
  const text = String(result.structuredContent['content']);
  expect(result.structuredContent['more']).toBeUndefined();
  expect(text.match(/"type":"file"/g)).toHaveLength(8_000);
  expect(text.includes('\n')).toBe(false);
  expect(fitsMessage(result)).toBe(true);
  const { structuredContent } = await call.run(directoryTree, {
    path: '.',
    excludePatterns: ['**/*[0-8].txt'],
  });
  expect(String(structuredContent['content']).includes('\n  ')).toBe(true);
});
